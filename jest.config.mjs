// Three projects: `unit` needs no service, `api` starts the service in its worker, `system` has processes, containers,
// browsers and kills. To run one project: `npm test -- --selectProjects unit`.
const shared = {
  rootDir: import.meta.dirname,
  extensionsToTreatAsEsm: ['.ts'],
  // Node loads the test files (native-runner.mjs). Jest resolves imports only to find the suites that a change affects.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {},
  globalSetup: '<rootDir>/test/support/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.mjs',
  testRunner: '<rootDir>/test/support/jest/native-runner.mjs',
};

const SYSTEM = '<rootDir>/test/system/';
const GENERATOR = '<rootDir>/schematics/';

export default {
  projects: [
    {
      ...shared,
      displayName: 'system',
      roots: [SYSTEM, GENERATOR],
      testRegex: '\\.(e2e-)?spec\\.ts$',
      globalSetup: '<rootDir>/test/support/jest/system-setup.mjs',
    },
    {
      ...shared,
      displayName: 'api',
      roots: ['<rootDir>/test'],
      testRegex: '\\.e2e-spec\\.ts$',
      testPathIgnorePatterns: [SYSTEM],
    },
    {
      ...shared,
      displayName: 'unit',
      roots: ['<rootDir>/src', '<rootDir>/packages', '<rootDir>/console/src', '<rootDir>/test'],
      testRegex: '\\.spec\\.ts$',
      testPathIgnorePatterns: [SYSTEM],
    },
  ],
  testSequencer: '<rootDir>/test/support/jest/system-first.mjs',
  filter: '<rootDir>/test/support/test-packages/suite-filter.ts',
  testTimeout: 60_000,
  // More on two cores only make each test slower.
  maxWorkers: 3,
  workerIdleMemoryLimit: '1GB',
};
