import { open, opendir, rename, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { assertObjectKey, isObjectKey, ObjectStore, type PutReceipt, type StoredObject } from '../object-store.port.js';
import { syncFolder } from '../../machine/sync-folder.js';
import { diskFault, onDisk } from '../store-unavailable.js';
import { ignoreMissing, makeFolder, Spool, unlinkIfThere } from './spool.js';

/**
 * Stores objects as files in subfolders. The last two characters of a key name the subfolder, because the first
 * characters of time-ordered ids are mostly equal.
 */
export class LocalObjectStore extends ObjectStore {
  readonly #objects: string;
  readonly #spool: Spool;

  constructor(folder: string) {
    super();
    this.#objects = join(folder, 'objects');
    this.#spool = new Spool(join(folder, 'incoming'));
  }

  async put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<PutReceipt> {
    const { folder, path } = this.#place(key);
    const { path: spooled, size, sha256 } = await this.#spool.gather(bytes);
    try {
      await onDisk(makeFolder(folder));
      await onDisk(rename(spooled, path));
      await onDisk(syncFolder(folder));
    } catch (error) {
      // If these deletions fail too, the sweeper deletes the files.
      await unlinkIfThere(spooled).catch(() => undefined);
      await unlinkIfThere(path).catch(() => undefined);
      throw error;
    }
    return { size, sha256 };
  }

  async get(key: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const file = await onDisk(open(this.#place(key).path, 'r').catch(ignoreMissing));
    return file?.createReadStream();
  }

  async delete(key: string): Promise<void> {
    await onDisk(unlinkIfThere(this.#place(key).path));
  }

  async *list(folder = '.'): AsyncGenerator<StoredObject> {
    try {
      const entries = await opendir(join(this.#objects, folder), { recursive: true }).catch(ignoreMissing);
      for await (const entry of entries ?? []) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        const key = this.#keyAt(path);
        // The file may have been deleted since the listing.
        const seen = key === undefined ? undefined : await stat(path).catch(ignoreMissing);
        if (key !== undefined && seen) yield { key, size: seen.size, storedAt: seen.mtime };
      }
    } catch (error) {
      throw diskFault(error);
    }
  }

  discardUnfinished(before: Date): Promise<number> {
    return this.#spool.discardUnfinished(before);
  }

  #place(key: string): { folder: string; path: string } {
    assertObjectKey(key);
    const segments = key.split('/');
    const name = segments.pop()!;
    const folder = join(this.#objects, ...segments, name.slice(-2));
    return { folder, path: join(folder, name) };
  }

  /** The key of a file; undefined if no key has this file. */
  #keyAt(path: string): string | undefined {
    const segments = relative(this.#objects, path).split(sep);
    const [name, spread] = [segments.pop() ?? '', segments.pop()];
    const key = [...segments, name].join('/');
    return spread === name.slice(-2) && isObjectKey(key) ? key : undefined;
  }
}
