import '../../dev/typescript-loader.ts';

// The same module instance as in global-setup.mjs: both run in Jest's parent process.
const { stopTestServer } = await import('./test-server.ts');

export default stopTestServer;
