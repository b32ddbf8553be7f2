import '../../../dev/typescript-loader.ts';

// The same module instance as in global-setup.mjs and in Jest's filter, because all run in Jest's parent process.
const { stopTestServer } = await import('../services/test-server.ts');
const { reportSkippedSuites } = await import('../test-packages/suite-filter.ts');

export default async () => {
  await stopTestServer();
  reportSkippedSuites();
};
