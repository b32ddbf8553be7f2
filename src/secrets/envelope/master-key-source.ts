import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../config/config.js';
import { GatewayError } from '../../kernel/errors.js';
import { parseMasterKey, textOfMasterKey, type MasterKey } from './master-key.js';
import { syncFolder } from '../../kernel/sync-folder.js';

/** What the configuration offers, and, where it is not usable, a sentence that says what to do. */
export interface OfferedKeys {
  readonly keys: readonly MasterKey[];
  readonly problem: string | undefined;
}

/**
 * Where master keys come from: MASTER_KEY, MASTER_KEY_FILE, or, on the embedded database, a file of our own in DATA_DIR;
 * and MASTER_KEY_NEXT beside any of them. A file holds one key a line. Which of the keys is in force is told by the database.
 */
export class MasterKeySource {
  /** Set where this service keeps the key itself. */
  readonly #ownFile: string | undefined;
  readonly #file: string | undefined;

  constructor(private readonly config: Config) {
    const { MASTER_KEY, MASTER_KEY_FILE, DATABASE_URL, DATA_DIR } = config.values;
    this.#ownFile = !MASTER_KEY && !MASTER_KEY_FILE && !DATABASE_URL ? join(DATA_DIR, 'master-key') : undefined;
    this.#file = MASTER_KEY_FILE ?? this.#ownFile;
  }

  /** Whether keys are written by the service itself, and not by whoever runs it. */
  get keepsItsOwn(): boolean {
    return this.#ownFile !== undefined;
  }

  /** For sentences to the operator. */
  get place(): string {
    return this.#file ?? (this.config.values.MASTER_KEY ? 'MASTER_KEY' : 'MASTER_KEY or MASTER_KEY_FILE');
  }

  /** What must be done before a rotation where the service does not make its keys itself. */
  get beforeRotation(): string {
    const { MASTER_KEY_FILE } = this.config.values;
    const way = MASTER_KEY_FILE
      ? `add the new key as a second line to ${MASTER_KEY_FILE}, or set MASTER_KEY_NEXT`
      : 'set MASTER_KEY_NEXT';
    return `There is no new master key to change to: ${way}, here and on every replica, and rotate again`;
  }

  /** What must be done after it. */
  get afterRotation(): string {
    if (this.#ownFile) return `${this.#ownFile} holds the new key only: keep a copy of it elsewhere`;
    const { MASTER_KEY_FILE, MASTER_KEY_NEXT } = this.config.values;
    const into = MASTER_KEY_FILE ?? 'MASTER_KEY';
    return MASTER_KEY_NEXT
      ? `put the key of MASTER_KEY_NEXT alone into ${into} and unset MASTER_KEY_NEXT, on every replica`
      : `remove the old key from ${into}, on every replica`;
  }

  async read(): Promise<OfferedKeys> {
    const { MASTER_KEY, MASTER_KEY_NEXT } = this.config.values;
    const lines = this.#file === undefined ? [] : await linesOf(this.#file);
    if (typeof lines === 'string') return { keys: [], problem: lines };
    const texts = [...(MASTER_KEY ? [MASTER_KEY] : lines), ...(MASTER_KEY_NEXT ? [MASTER_KEY_NEXT] : [])];
    const keys = texts.map(parseMasterKey);
    if (keys.includes(undefined))
      return {
        keys: [],
        problem: `every line of ${this.place} must be a key: 32 bytes as 64 hex characters or as base64`,
      };
    if (keys.length === 0)
      return { keys: [], problem: this.#file ? `${this.#file} holds no key` : 'set MASTER_KEY or MASTER_KEY_FILE' };
    return { keys: keys as MasterKey[], problem: undefined };
  }

  /** Makes the file of our own. Where there is one already, it stays as it is. */
  async writeFirst(key: MasterKey): Promise<void> {
    const { draft, file } = await this.#draft([key]);
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await unlink(draft);
    await syncFolder(dirname(file));
  }

  /** Replaces the file of our own in one step: whoever reads it meanwhile sees the old lines or the new ones, never a part. */
  async replace(keys: readonly MasterKey[]): Promise<void> {
    const { draft, file } = await this.#draft(keys);
    await rename(draft, file);
    await syncFolder(dirname(file));
  }

  async #draft(keys: readonly MasterKey[]): Promise<{ draft: string; file: string }> {
    if (this.#ownFile === undefined)
      throw new GatewayError('internal', 'The master key is not kept in a file of this service');
    await mkdir(dirname(this.#ownFile), { recursive: true });
    const draft = `${this.#ownFile}.${randomUUID()}`;
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(keys.map((key) => `${textOfMasterKey(key)}\n`).join(''));
      await handle.sync();
    } finally {
      await handle.close();
    }
    return { draft, file: this.#ownFile };
  }
}

/** The lines of a key file, or a sentence that says why there are none. */
async function linesOf(path: string): Promise<string[] | string> {
  try {
    return (await readFile(path, 'utf8'))
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT'
      ? `the master key file ${path} is missing: put it back`
      : `the master key file ${path} cannot be read (${code ?? 'unknown fault'})`;
  }
}
