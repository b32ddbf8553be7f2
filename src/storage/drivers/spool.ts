import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, opendir, stat, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PutReceipt } from '../object-store.port.js';
import { onDisk } from '../store-unavailable.js';
import { syncFolder } from '../../machine/sync-folder.js';

/** A complete, durable temporary file. */
export interface SpooledBytes extends PutReceipt {
  readonly path: string;
}

/** A folder for incomplete uploads. */
export class Spool {
  constructor(private readonly folder: string) {}

  /**
   * Writes the bytes to a file, and counts and hashes them. The file is synced before the promise resolves, and deleted
   * if the promise rejects.
   */
  async gather(bytes: AsyncIterable<Uint8Array>): Promise<SpooledBytes> {
    await onDisk(makeFolder(this.folder));
    const path = join(this.folder, `${randomUUID()}.part`);
    const file = await onDisk(open(path, 'wx', 0o600));
    try {
      const receipt = await write(file, bytes);
      await onDisk(file.sync());
      return { path, ...receipt };
    } catch (error) {
      // If the deletion fails too, the sweeper deletes the file.
      await unlinkIfThere(path).catch(() => undefined);
      throw error;
    } finally {
      await file.close().catch(() => undefined);
    }
  }

  /** Deletes the files that were last written before `before`. Killed processes left them. Returns their number. */
  async discardUnfinished(before: Date): Promise<number> {
    const entries = await opendir(this.folder).catch(ignoreMissing);
    let discarded = 0;
    for await (const entry of entries ?? []) {
      if (!entry.isFile()) continue;
      const path = join(this.folder, entry.name);
      const seen = await stat(path).catch(ignoreMissing);
      if (seen && seen.mtime < before && (await unlinkIfThere(path))) discarded++;
    }
    return discarded;
  }
}

async function write(file: FileHandle, bytes: AsyncIterable<Uint8Array>): Promise<PutReceipt> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    let written = 0;
    while (written < chunk.length)
      written += (await onDisk(file.write(chunk, written, chunk.length - written))).bytesWritten;
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}

/** Creates a folder and its missing parents, and syncs the parent of each new folder. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** Deletes a file. Returns whether the file existed. */
export async function unlinkIfThere(path: string): Promise<boolean> {
  return unlink(path).then(
    () => true,
    (error: unknown) => ignoreMissing(error) ?? false,
  );
}

/** For `catch`: ignores ENOENT. */
export function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
