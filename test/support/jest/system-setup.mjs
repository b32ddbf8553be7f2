// `globalSetup` of the project `system`: its processes run the build, as an installation does. A service starts from it
// with half the CPU time that it needs from the source.
import { execFileSync } from 'node:child_process';
import startTestServer from './global-setup.mjs';

export default async () => {
  execFileSync(process.execPath, ['dev/build.ts'], { stdio: ['ignore', 'inherit', 'inherit'] });
  process.env.GATEHOUSE_TEST_BUILD = 'dist/main.js';
  await startTestServer();
};
