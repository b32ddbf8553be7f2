'use strict';

const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');

/** Writes the first failure to FIRST_FAILURE_FILE. Jest does not write its own JSON if `--bail` ends the run. */
module.exports = class FirstFailureReporter {
  #tests = 0;
  #failed;

  onTestResult(_test, { testFilePath, testResults, testExecError, failureMessage }) {
    this.#tests += testResults.length;
    const test = testResults.find(({ status }) => status === 'failed');
    if (!test && !testExecError) return;
    const title = test?.fullName ?? (failureMessage ?? testExecError.message).trim().split('\n')[0];
    this.#failed ??= `${relative(process.cwd(), testFilePath)} › ${title}`;
  }

  onRunComplete() {
    writeFileSync(process.env.FIRST_FAILURE_FILE, JSON.stringify({ tests: this.#tests, failed: this.#failed }));
  }
};
