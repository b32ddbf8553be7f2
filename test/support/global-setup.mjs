// Jest loads this file as it is, without its transform and without moduleNameMapper: TypeScript needs a loader of its
// own.
import '../../dev/typescript-loader.ts';

const { startTestServer } = await import('./test-server.ts');

export default startTestServer;
