// `globalSetup` of the project `system`: its processes run the build, like an installation. A service from the build
// starts with half the CPU time of one from the source.
import { execFileSync } from 'node:child_process';
import startTestServer from './global-setup.mjs';

export default async () => {
  execFileSync(process.execPath, ['dev/build.ts'], { stdio: ['ignore', 'inherit', 'inherit'] });
  process.env.GATEHOUSE_TEST_BUILD = 'dist/main.js';
  await startTestServer();
};
