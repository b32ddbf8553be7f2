import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { mkdir, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ConfigError } from '../config/config.js';
import { storeUnavailable } from './store-unavailable.js';

/** The minimum time between two checks of the folder, because readiness is probed often. */
const CHECK_EVERY_MS = 1_000;

/** Checks at run time that DATA_DIR is writable and still the same folder as at the start. */
export class DataFolder {
  readonly #log = new Logger('storage');
  #identity: string | undefined;
  #lastFault: string | undefined;
  #lastCheck: { readonly at: number; readonly fault: Promise<string | undefined> } | undefined;

  constructor(private readonly path: string) {}

  /**
   * Call this at the start. Creates the folder if it is missing. Throws a ConfigError with the reason if it cannot be
   * used.
   */
  async open(): Promise<void> {
    try {
      await makeFolder(this.path);
      this.#identity = await identityOf(this.path);
      await tryWriting(this.path);
    } catch (error) {
      throw new ConfigError(
        `DATA_DIR must be a folder that the service can write (${this.path}: ${(error as Error).message})`,
      );
    }
  }

  /** The problem, as a clause; undefined = none. */
  fault(): Promise<string | undefined> {
    const now = performance.now();
    if (!this.#lastCheck || now - this.#lastCheck.at >= CHECK_EVERY_MS)
      this.#lastCheck = { at: now, fault: this.#findAndLog() };
    return this.#lastCheck.fault;
  }

  /**
   * Throws a 503 if the folder is missing or was replaced. Call this before creating anything in the folder. A missing
   * folder must not be created again, because the new folder would lack the earlier contents.
   */
  async assertPresent(): Promise<void> {
    const moved = await this.#movedFault();
    if (moved !== undefined) throw storeUnavailable('the data folder of this service does not exist', new Error(moved));
  }

  async #findAndLog(): Promise<string | undefined> {
    const fault = await this.#find();
    if (fault !== this.#lastFault) {
      if (fault === undefined) this.#log.log('DATA_DIR can be used again');
      else this.#log.error(fault);
    }
    return (this.#lastFault = fault);
  }

  async #find(): Promise<string | undefined> {
    const moved = await this.#movedFault();
    if (moved !== undefined) return moved;
    return tryWriting(this.path).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => `DATA_DIR cannot be written (${error.code ?? error.message})`,
    );
  }

  async #movedFault(): Promise<string | undefined> {
    if (this.#identity === undefined) return undefined;
    const found = await identityOf(this.path).catch(() => undefined);
    if (found === this.#identity) return undefined;
    return found === undefined
      ? 'DATA_DIR does not exist: restore it'
      : 'DATA_DIR is not the same folder as at the start: restore the old folder, or restart the service';
  }
}

/**
 * Creates a folder and its missing parents. Node's recursive mkdir is not used, because it never returns if the file
 * system reports ENOENT for an existing parent, as /proc does.
 */
async function makeFolder(folder: string): Promise<void> {
  const code = await mkdir(folder, { mode: 0o700 }).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  );
  if (code === undefined || code === 'EEXIST') return;
  if (
    code === 'ENOENT' &&
    dirname(folder) !== folder &&
    (await stat(dirname(folder)).catch(() => undefined)) === undefined
  ) {
    await makeFolder(dirname(folder));
    return makeFolder(folder);
  }
  throw new Error(`${code}: it cannot be created`);
}

/** Identity of the folder, independent of its path. */
async function identityOf(path: string): Promise<string> {
  const { dev, ino } = await stat(path, { bigint: true });
  return `${dev}:${ino}`;
}

async function tryWriting(folder: string): Promise<void> {
  const file = join(folder, `.writable-${randomUUID()}`);
  try {
    await writeFile(file, 'x', { mode: 0o600, flag: 'wx' });
  } finally {
    await unlink(file).catch(() => undefined);
  }
}
