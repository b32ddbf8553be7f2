import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, link, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { conflict, invalidRequest } from '../../kernel/errors.js';
import { syncFolder } from '../../kernel/sync-folder.js';

const NO_HARD_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/**
 * Packs `content` into a file that is there whole or not at all, for its owner only. A file of that name is refused without `force`, also
 * one that appears meanwhile.
 */
export async function writeBackupFile(path: string, content: AsyncIterable<Buffer>, force: boolean): Promise<void> {
  const target = resolve(path);
  const draft = `${target}.${randomUUID()}.new`;
  try {
    await pipeline(content, createGzip(), createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }));
    await putInPlace(draft, target, force);
    await syncFolder(dirname(target));
  } catch (error) {
    throw fileFault(path, error);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Asked before the work begins, so that nobody waits for a refusal. */
export async function refuseExisting(path: string): Promise<void> {
  const found = await access(resolve(path)).then(
    () => true,
    () => false,
  );
  if (found) throw existsAlready(path);
}

/** A link, unlike a rename, never replaces a file. */
async function putInPlace(draft: string, target: string, force: boolean): Promise<void> {
  if (force) return rename(draft, target);
  try {
    await link(draft, target);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'EEXIST') throw existsAlready(target);
    if (!NO_HARD_LINKS.includes(code)) throw error;
    await refuseExisting(target);
    await rename(draft, target);
  }
}

const existsAlready = (path: string): Error =>
  conflict(`${path} exists already: choose another name, or add --force to replace it`);

function fileFault(path: string, error: unknown): unknown {
  const { syscall, code } = error as NodeJS.ErrnoException;
  return syscall === undefined || code === 'ECONNRESET'
    ? error
    : invalidRequest(`${path} cannot be written: ${(error as Error).message}`);
}
