import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, opendir, stat, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PutReceipt } from '../object-store.port.js';
import { syncFolder } from '../../kernel/sync-folder.js';

/** Bytes that have arrived whole and durable on this machine's disk, under a name that nobody reads. */
export interface SpooledBytes extends PutReceipt {
  readonly path: string;
}

/** A folder in which bytes gather until they are complete. */
export class Spool {
  constructor(private readonly folder: string) {}

  /** Writes, counts and hashes; the file is synced before this resolves and gone where it rejects. */
  async gather(bytes: AsyncIterable<Uint8Array>): Promise<SpooledBytes> {
    await makeFolder(this.folder);
    const path = join(this.folder, `${randomUUID()}.part`);
    const file = await open(path, 'wx', 0o600);
    try {
      const receipt = await write(file, bytes);
      await file.sync();
      return { path, ...receipt };
    } catch (error) {
      await file.close().catch(() => undefined);
      await this.discard(path);
      throw error;
    } finally {
      await file.close().catch(() => undefined);
    }
  }

  async discard(path: string): Promise<void> {
    await unlinkIfThere(path);
  }

  /** Removes files that nobody has written to since `before`: their process died. Answers how many. */
  async discardUnfinished(before: Date): Promise<number> {
    let discarded = 0;
    for await (const path of filesIn(this.folder)) {
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
    while (written < chunk.length) written += (await file.write(chunk, written, chunk.length - written)).bytesWritten;
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}

/** Makes a folder and its parents; the entry in the nearest parent that was there before is made durable too. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** Paths of the files right in a folder; none where there is no folder. */
export async function* filesIn(folder: string): AsyncGenerator<string> {
  const entries = await opendir(folder).catch(ignoreMissing);
  if (!entries) return;
  for await (const entry of entries) if (entry.isFile()) yield join(folder, entry.name);
}

/** Whether there was one. */
export async function unlinkIfThere(path: string): Promise<boolean> {
  return unlink(path).then(
    () => true,
    (error: unknown) => ignoreMissing(error) ?? false,
  );
}

/** For a rejection that only says that the thing is not there. */
export function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
