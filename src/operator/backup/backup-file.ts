import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { conflict, invalidRequest } from '../../kernel/errors/errors.js';
import { syncFolder } from '../../machine/sync-folder.js';

const NO_HARD_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/**
 * Compresses `content` into a file of mode 0600, which appears atomically when it is complete. Without `force`, throws
 * a conflict if the file exists, even if it was created during the backup. Throws invalid_request if the file cannot be
 * written.
 */
export async function writeBackupFile(path: string, content: AsyncIterable<Buffer>, force: boolean): Promise<void> {
  const target = resolve(path);
  const draft = `${target}.${randomUUID()}.new`;
  try {
    await pipeline(content, createGzip(), createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }));
    await publish(draft, target, force);
    await syncFolder(dirname(target));
  } catch (error) {
    throw fileFault(path, error);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Throws a conflict if the file exists. Call this before the backup begins, so that the command fails early. */
export function refuseExisting(path: string): void {
  if (existsSync(path)) throw existsAlready(path);
}

/**
 * Publishes the draft. Without `force`, uses a hard link, because a rename would replace an existing file. On a file
 * system without hard links, checks for an existing file and renames the draft.
 */
async function publish(draft: string, target: string, force: boolean): Promise<void> {
  if (force) return rename(draft, target);
  try {
    await link(draft, target);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'EEXIST') throw existsAlready(target);
    if (!NO_HARD_LINKS.includes(code)) throw error;
    refuseExisting(target);
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
