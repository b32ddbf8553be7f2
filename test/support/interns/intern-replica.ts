import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { TlsWorld } from '../engines/tls-world.js';

/** A replica of the service in a separate process, which runs interns. */
export interface InternReplica {
  /** Sends SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>;
}

/** `userId`: the user of the process, if the test runs as root. HOME is then the data folder. */
export async function startInternReplica(
  env: Readonly<Record<string, string>>,
  { plain, trusted }: TlsWorld,
  userId?: number,
): Promise<InternReplica> {
  const child = spawn(
    process.execPath,
    [
      '--import',
      './dev/typescript-loader.ts',
      'test/support/interns/intern-replica.child.ts',
      JSON.stringify({ env, plain, trusted }),
    ],
    {
      cwd: resolve(import.meta.dirname, '../../..'),
      stdio: ['ignore', 'pipe', 'inherit'],
      ...(userId === undefined ? {} : { uid: userId, gid: userId, env: homeIn(env['DATA_DIR']!) }),
    },
  );
  const ended = once(child, 'exit');
  const started = await Promise.race([once(child.stdout, 'data').then(() => true), ended.then(() => false)]);
  if (!started) throw new Error('the replica ended before it was ready');
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The loader's native modules are unpacked in TMPDIR. */
const homeIn = (folder: string): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], HOME: folder, TMPDIR: folder });
