import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../temporary-folder.js';
import { freePort } from '../services/free-port.js';

/** Whether Debian's redis-server is here; says once that tests are skipped where it is not. */
export function redisIsInstalled(): boolean {
  const installed = spawnSync('redis-server', ['--version']).status === 0;
  if (!installed) process.stderr.write('redis-server is not installed: the tests that need it are skipped\n');
  return installed;
}

export interface TestRedis {
  readonly url: string;
  /** Ends the process as a crash would; `start` brings it back, empty, on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops it in its tracks, connections open, until `thaw`. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** A Redis of the test's own on a free port, without a file. */
export async function startTestRedis(): Promise<TestRedis> {
  const folder = await temporaryFolder();
  const port = await freePort();
  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    server = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder.path],
      { stdio: 'ignore' },
    );
    while (!(await answers(port))) await sleep(20);
  };
  const kill = async (): Promise<void> => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    freeze: () => void server?.kill('SIGSTOP'),
    thaw: () => void server?.kill('SIGCONT'),
    stop: async () => {
      await kill();
      await folder.remove();
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
