import { spawnSync } from 'node:child_process';
import { temporaryFolder } from '../temporary-folder.js';
import { RedisProcess } from './redis-process.js';

/** Whether Debian's redis-server is installed. If not, logs once that tests are skipped. */
export function redisIsInstalled(): boolean {
  const installed = spawnSync('redis-server', ['--version']).status === 0;
  if (!installed) process.stderr.write('redis-server is not installed: the tests that need it are skipped\n');
  return installed;
}

export interface TestRedis {
  readonly url: string;
  /** Kills the process, like a crash. `start` starts it again on the same port, empty. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops the process by SIGSTOP, with open connections, until `thaw`. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** A separate Redis on a free port, without persistence. */
export async function startTestRedis(): Promise<TestRedis> {
  const folder = await temporaryFolder();
  const server = await RedisProcess.start(folder.path);
  return {
    url: `redis://127.0.0.1:${server.port}`,
    start: () => server.start(),
    kill: () => server.kill(),
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    stop: async () => {
      await server.kill();
      await folder.remove();
    },
  };
}
