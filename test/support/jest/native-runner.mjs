// Jest's `testRunner`: jest-circus, with test files and what they import loaded by Node itself. Jest's own runtime
// loads every module again for each test file, in a context of its own: 5 s of CPU for a file that starts the
// service. Here the modules of a worker are loaded once. Test files share them: each restores what it changes
// (docs: CONTRIBUTING).
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import '../../../dev/typescript-loader.ts';
import { measureFile } from './file-times.mjs';
import { jest } from './globals.mjs';

const require = createRequire(import.meta.url);
const runner = require('jest-circus/runner').default;
const CIRCUS_BUILD = join(require.resolve('jest-circus/package.json'), '../build/');
/** Where jest-circus keeps the handlers of one file's events. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

/** Loads jest-circus again, whose state is that of one test file. */
function freshCircus(path) {
  for (const file of Object.keys(require.cache)) if (file.startsWith(CIRCUS_BUILD)) delete require.cache[file];
  delete globalThis[EVENT_HANDLERS];
  return require(path);
}

/** Projects whose tests depend on the load of the machine. CI runs a failed one once more, and names it. */
const RETRIED_PROJECTS = ['system', 'api'];

function retryInCi(project) {
  globalThis[Symbol.for('RETRY_TIMES')] = process.env.CI && RETRIED_PROJECTS.includes(project) ? 1 : 0;
  // At once: later tests of a file may stand on what this one leaves.
  globalThis[Symbol.for('RETRY_IMMEDIATELY')] = true;
  globalThis[Symbol.for('LOG_ERRORS_BEFORE_RETRY')] = true;
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

export default async function run(globalConfig, config, environment, _, testPath, sendMessageToJest) {
  const variables = { ...process.env };
  // Set by jest-runner for its own runtime; Node maps the lines of what it loads itself.
  Error.prepareStackTrace = undefined;
  retryInCi(config.displayName?.name);
  const end = measureFile(testPath);
  try {
    return await runner(globalConfig, config, { global: globalThis }, runtime, testPath, sendMessageToJest);
  } finally {
    end();
    jest.restoreAllMocks();
    jest.useRealTimers();
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
  }
}
