import { access, constants, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { folderError } from './embedded-postgres.errors.js';
import { replaceFile } from './folders.js';

/** Who holds a data folder. `url` appears when its server is ready. The file that carries it is of mode 0600. */
export interface LockHolder {
  readonly kind: 'service' | 'command';
  readonly pid: number;
  readonly url?: string;
}

const SQLITE_BUSY = 5;

/**
 * The exclusive lock of a data folder.
 *
 * Node cannot lock files, but the SQLite inside it does: an open exclusive transaction holds the operating system's own lock
 * on a file. It is taken atomically, so of two starts at the same instant exactly one wins; the kernel drops it with the
 * process, however that died, so no stale lock exists; it holds between containers that share a volume; and child processes
 * do not inherit it. A file with a pid in it has none of these. Nothing is ever written to the lock file.
 */
export class FolderLock {
  private constructor(
    private readonly folder: string,
    private readonly database: DatabaseSync,
    private readonly holder: LockHolder,
  ) {}

  /** Undefined when another process (or this one) holds the folder. */
  static async take(folder: string, kind: LockHolder['kind']): Promise<FolderLock | undefined> {
    const path = join(folder, 'lock');
    try {
      await access(folder, constants.W_OK);
      // Only made here, never opened again: closing any other descriptor of the file would drop a lock this process holds.
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

  /** Tells others who holds the folder, and where its server answers. */
  async announce(url?: string): Promise<void> {
    await replaceFile(join(this.folder, 'server.json'), JSON.stringify({ ...this.holder, url }));
  }

  async release(): Promise<void> {
    if (!this.database.isOpen) return;
    await rm(join(this.folder, 'server.json'), { force: true });
    if (this.database.isOpen) this.database.close();
  }
}

/** The holder of a folder whose lock was refused; undefined while it has not announced itself yet. */
export async function readHolder(folder: string): Promise<LockHolder | undefined> {
  const text = await readFile(join(folder, 'server.json'), 'utf8').catch(() => '');
  if (text === '') return undefined;
  const holder = JSON.parse(text) as LockHolder;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // What a killed holder left behind lies here until the next one announces itself.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return undefined;
  }
  return holder;
}
