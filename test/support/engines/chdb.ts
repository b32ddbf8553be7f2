import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { temporaryFolder } from '../temporary-folder.js';

/** ClickHouse's engine in a separate process that serves HTTP. */
export interface TestClickHouse {
  readonly url: string;
  /** Kills the process, like a crash. `start` starts it again with its data on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops the process by SIGSTOP, with open connections, until `thaw`. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

export async function startTestClickHouse(): Promise<TestClickHouse> {
  const folder = await temporaryFolder();
  let port = 0;
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = fork(new URL('./chdb.main.ts', import.meta.url), [folder.path, String(port)], {
      execArgv: ['--no-warnings', '--import', new URL('../../../dev/typescript-loader.ts', import.meta.url).href],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const [message] = (await once(child, 'message')) as [{ port: number }];
    ({ port } = message);
  };
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  await start();
  return {
    url: `http://default:secret@127.0.0.1:${port}`,
    start,
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    stop: async () => {
      await kill();
      await folder.remove();
    },
  };
}
