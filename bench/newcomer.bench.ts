// Measures the first steps of a new user: from `npm start` with an empty data folder to a first answer in the console's
// playground, in Debian's Chromium. Prints clicks, keystrokes and seconds.
// `npm run bench:newcomer`
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstChat } from '../test/support/console/newcomer.js';

const READY_WITHIN_MS = 600_000;

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-newcomer-'));
const load = loadavg()[0]!;
const start = performance.now();
const service = spawn('npm', ['start'], {
  env: { ...process.env, PORT: '0', DATA_DIR: join(folder, 'data') },
  stdio: ['ignore', 'ignore', 'inherit'],
});
// The service prints the link only to a terminal. A log contains the name of this file instead.
const printedLink = (): Promise<string> => readFile(join(folder, 'data', 'console-link'), 'utf8').catch(() => '');

try {
  let link = '';
  while (link === '') {
    if (performance.now() - start > READY_WITHIN_MS || service.exitCode !== null)
      throw new Error('npm start printed no link to the console');
    await sleep(50);
    link = (await printedLink()).trim();
  }
  const secondsToReady = (performance.now() - start) / 1000;
  const { clicks, keystrokes, seconds } = await firstChat(link);
  console.log(
    `load ${load.toFixed(1)}: ready ${secondsToReady.toFixed(1)} s after npm start; ` +
      `first answer ${seconds.toFixed(1)} s after the link, by ${clicks} clicks and ${keystrokes} keystrokes`,
  );
} finally {
  service.kill('SIGTERM');
  if (service.exitCode === null) await once(service, 'exit');
  await rm(folder, { recursive: true, force: true });
}
