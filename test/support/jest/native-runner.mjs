// Jest's `testRunner`: jest-circus, but Node loads the test files and their imports. Jest's own runtime loads every
// module again for each test file, in a separate context, which takes 5 s of CPU time for a file that starts the
// service. Here a worker loads each module once. Its test files share the modules, so each must restore what it changes
// (CONTRIBUTING).
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import '../../../dev/typescript-loader.ts';
import { measureFile } from './file-times.mjs';
import { jest } from './globals.mjs';
import { TIME_LIMIT_FACTOR } from '../time-limits.ts';

const require = createRequire(import.meta.url);
const runner = require('jest-circus/runner').default;
const CIRCUS_BUILD = join(require.resolve('jest-circus/package.json'), '../build/');
/** The property in which jest-circus stores the event handlers of one file. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');
/** The description of the symbol under which jest-circus stores the state of one file. Each load makes a new symbol. */
const STATE = 'JEST_STATE_SYMBOL';

/** Loads jest-circus again, because its state belongs to one test file. */
function freshCircus(path) {
  for (const file of Object.keys(require.cache)) if (file.startsWith(CIRCUS_BUILD)) delete require.cache[file];
  delete globalThis[EVENT_HANDLERS];
  return require(path);
}

/** The state refers to the closures of the tests, and thereby to the services that they started. */
function deleteState() {
  for (const key of Object.getOwnPropertySymbols(globalThis)) if (key.description === STATE) delete globalThis[key];
}

/** Projects whose tests depend on the load of the machine. CI retries a failed test once, and reports the retry. */
const RETRIED_PROJECTS = ['system', 'api'];

function retryInCi(project) {
  globalThis[Symbol.for('RETRY_TIMES')] = process.env.CI && RETRIED_PROJECTS.includes(project) ? 1 : 0;
  // Retry immediately: later tests of a file may depend on this one.
  globalThis[Symbol.for('RETRY_IMMEDIATELY')] = true;
  globalThis[Symbol.for('LOG_ERRORS_BEFORE_RETRY')] = true;
}

/** Multiplies the time limits of a file's tests and hooks before they run. */
function multiplyTimeLimits({ name }, state) {
  if (name !== 'run_start') return;
  state.testTimeout *= TIME_LIMIT_FACTOR;
  const multiply = ({ hooks, tests, children }) => {
    for (const each of [...hooks, ...tests]) if (each.timeout) each.timeout *= TIME_LIMIT_FACTOR;
    for (const child of children) if (child.type === 'describeBlock') multiply(child);
  };
  multiply(state.rootDescribeBlock);
}

/** The part of jest-runtime that the runner calls. */
const runtime = {
  requireInternalModule: freshCircus,
  requireModule: require,
  unstable_shouldLoadAsEsm: () => true,
  unstable_importModule: (path) => import(pathToFileURL(path).href),
  setGlobalsForRuntime: () => undefined,
  enterTestCode: () => undefined,
  leaveTestCode: () => undefined,
};

export default async function run(globalConfig, config, _environment, _runtime, testPath, sendMessageToJest) {
  const variables = { ...process.env };
  // Removes the handler that jest-runner sets for its own runtime. Node itself maps positions to the TypeScript source.
  Error.prepareStackTrace = undefined;
  retryInCi(config.displayName?.name);
  const end = measureFile(testPath);
  const environment = { global: globalThis, handleTestEvent: multiplyTimeLimits };
  try {
    return await runner(globalConfig, config, environment, runtime, testPath, sendMessageToJest);
  } finally {
    deleteState();
    jest.restoreAllMocks();
    // Fake timers also replace the clock of the measurement.
    jest.useRealTimers();
    end();
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
  }
}
