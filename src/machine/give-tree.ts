import { execFile } from 'node:child_process';
import { chown, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { UserIdentity } from './user-id-range.js';

const ENTRIES_PER_CALL = 500;

/**
 * Changes the owner of a folder and its contents; root only. The folder itself belongs to root during the change, so
 * that the former owner has no access. The owner of the folder itself is changed last, and so shows whether the change
 * is complete. Uses `chown -h`, which does not follow symbolic links.
 */
export async function giveTree(folder: string, { uid, gid }: UserIdentity): Promise<void> {
  await chown(folder, 0, 0);
  const entries = await readdir(folder);
  for (let at = 0; at < entries.length; at += ENTRIES_PER_CALL) {
    const paths = entries.slice(at, at + ENTRIES_PER_CALL).map((name) => join(folder, name));
    await promisify(execFile)('chown', ['-R', '-h', `${uid}:${gid}`, '--', ...paths], {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    });
  }
  await chown(folder, uid, gid);
}
