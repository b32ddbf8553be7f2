import { access, constants, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { folderError } from './embedded-postgres.errors.js';
import { replaceFile } from './folders.js';

/**
 * The process that holds a data folder. `url` is set when the server of this process is ready. The file with this
 * record has mode 0600.
 */
interface LockHolder {
  readonly kind: 'service' | 'command';
  readonly pid: number;
  readonly url?: string;
}

const SQLITE_BUSY = 5;

/**
 * The exclusive lock of a data folder.
 *
 * Node has no file locks, but its SQLite has. An open exclusive transaction holds an operating system lock on the file.
 * The lock is atomic, so exactly one of two simultaneous starts gets it. The kernel releases it when the process ends
 * in any way, so it never becomes stale. The lock works between containers that share a volume, and child processes do
 * not inherit it. A pid file has none of these properties. Nothing is ever written to the lock file.
 */
export class FolderLock {
  private constructor(
    private readonly folder: string,
    private readonly database: DatabaseSync,
    private readonly holder: LockHolder,
  ) {}

  /** Returns undefined if another process or this process holds the lock. */
  static async take(folder: string, kind: LockHolder['kind']): Promise<FolderLock | undefined> {
    const path = join(folder, 'lock');
    try {
      await access(folder, constants.W_OK);
      // Create the file but never open it again, because closing another descriptor of the file would release this
      // process's lock.
      await open(path, 'wx', 0o600).then(
        (created) => created.close(),
        () => access(path, constants.W_OK),
      );
    } catch (error) {
      throw folderError(folder, error);
    }
    const database = new DatabaseSync(path, { timeout: 0 });
    try {
      database.exec('begin exclusive');
    } catch (error) {
      database.close();
      if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
      throw folderError(folder, error);
    }
    const lock = new FolderLock(folder, database, { kind, pid: process.pid });
    await lock.announce().catch(async (error: unknown) => {
      await lock.release();
      throw folderError(folder, error);
    });
    return lock;
  }

  /** Writes this process and the URL of its server to the holder file. */
  async announce(url?: string): Promise<void> {
    await replaceFile(join(this.folder, 'server.json'), JSON.stringify({ ...this.holder, url }));
  }

  async release(): Promise<void> {
    if (!this.database.isOpen) return;
    await rm(join(this.folder, 'server.json'), { force: true });
    if (this.database.isOpen) this.database.close();
  }
}

/** The holder of a locked folder; undefined until it has announced itself. */
export async function readHolder(folder: string): Promise<LockHolder | undefined> {
  const text = await readFile(join(folder, 'server.json'), 'utf8').catch(() => '');
  if (text === '') return undefined;
  const holder = JSON.parse(text) as LockHolder;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // There is no such process. The file of a killed holder remains until the next holder overwrites it.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return undefined;
  }
  return holder;
}
