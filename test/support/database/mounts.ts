import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const run = (program: string, ...args: string[]): boolean => spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/** Whether this user may mount file systems. If not, logs once that tests are skipped. */
export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mount-'));
  const mounted = mountTmpfs(folder, '1m');
  if (mounted) unmount(folder);
  else
    process.stderr.write('this user cannot mount file systems (requires root): the tests that need it are skipped\n');
  rmdirSync(folder);
  return mounted;
}

/** Mounts a file system of this size, in memory, over a folder. */
export const mountTmpfs = (folder: string, size: string, mode = '0711'): boolean =>
  run('mount', '-t', 'tmpfs', '-o', `size=${size},mode=${mode}`, 'gatehouse-test', folder);

/** Makes a folder read-only until `unmount`. */
export const mountReadOnly = (folder: string): boolean =>
  run('mount', '--bind', folder, folder) && run('mount', '-o', 'remount,bind,ro', folder);

export const unmount = (folder: string): boolean => run('umount', '-l', folder);
