import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, statfsSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory, which only Linux has at this path. */
const MEMORY_FOLDER = '/dev/shm';
const MIN_FREE_BYTES = 4 * 1_073_741_824;

/**
 * The folder for files that tests write. It is in memory if there is space, because databases consist of thousands of
 * small files: creating and removing them on ext4 takes a fifth of the suite's CPU time.
 */
export function temporaryRoot(): string {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    if (bavail * bsize >= MIN_FREE_BYTES) return MEMORY_FOLDER;
  } catch {
    // There is no such folder.
  }
  // As root, do not use TMPDIR, because the user of PostgreSQL must be able to enter the folder.
  return process.getuid?.() === 0 ? '/tmp' : tmpdir();
}

export interface TemporaryFolder {
  readonly path: string;
  /** Removes the folder; resolves when the folder is removed. */
  remove(): Promise<void>;
}

/**
 * Removes the folder when its pipe closes: on request, or when this process ends for any reason (Ctrl-C, kill -9).
 * Waits for databases in it to stop first.
 */
const CLEANER = `
while read -r ignored; do :; done
n=0
while [ $n -lt 150 ] && ls "$1"/*/postgres/data/postmaster.pid >/dev/null 2>&1; do sleep 0.1; n=$((n + 1)); done
rm -rf "$1"
`;

/**
 * A new empty folder for a test. Data folders belong one level below it. As root, it is a folder that the user of
 * PostgreSQL can enter.
 */
export async function temporaryFolder(root = temporaryRoot()): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(root, 'gatehouse-test-'));
  if (process.getuid?.() === 0) await chmod(path, 0o711);
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
