import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  readonly path: string;
  /** Removes the folder, and resolves when it is gone. */
  remove(): Promise<void>;
}

/**
 * Removes the folder when its pipe closes: when asked to, or when this process has died in whatever way (Ctrl-C, kill
 * -9). Databases in it are given the time to stop first.
 */
const CLEANER = `
while read -r ignored; do :; done
n=0
while [ $n -lt 150 ] && ls "$1"/*/postgres/data/postmaster.pid >/dev/null 2>&1; do sleep 0.1; n=$((n + 1)); done
rm -rf "$1"
`;

/**
 * A new empty folder for a test. Data folders belong one level below it. As root it is one that the user whom
 * PostgreSQL runs as can pass through.
 */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const asRoot = process.getuid?.() === 0;
  const path = await mkdtemp(join(asRoot ? '/tmp' : tmpdir(), 'gatehouse-test-'));
  if (asRoot) await chmod(path, 0o711);
  const cleaner = spawn('/bin/sh', ['-c', CLEANER, 'gatehouse-cleaner', path], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const done = once(cleaner, 'exit');
  cleaner.unref();
  return {
    path,
    remove: async () => {
      cleaner.ref();
      cleaner.stdin.destroy();
      await done;
    },
  };
}
