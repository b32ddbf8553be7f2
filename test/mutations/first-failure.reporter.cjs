'use strict';

const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');

/** Writes what failed first to FIRST_FAILURE_FILE. Jest's own JSON is not written where `--bail` ends the run. */
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
