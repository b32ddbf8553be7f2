import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../config/config.js';
import { GatewayError, unavailable } from '../../kernel/errors/errors.js';
import { parseMasterKeys, textOfMasterKeys, type MasterKeys } from './master-key-file.js';
import { parseMasterKey, textOfMasterKey, type MasterKey } from './master-key.js';
import { syncFolder } from '../../machine/sync-folder.js';

/** The keys that the configuration offers, or the problem and its remedy as a sentence. */
interface OfferedKeys {
  readonly keys: MasterKeys;
  readonly problem: string | undefined;
  /** Whether the key file does not exist. */
  readonly isMissing: boolean;
}

export const NO_KEYS: MasterKeys = { current: undefined, next: [], retired: [] };

/**
 * Reads the master keys from MASTER_KEY, from MASTER_KEY_FILE or, if neither is set, from the service's own file in
 * DATA_DIR. MASTER_KEY_NEXT adds a next key to the keys of the source. Files have the format of master-key-file.ts. The
 * database records which key is in use.
 */
export class MasterKeySource {
  /** Set if the service stores its keys itself. */
  readonly #ownFile: string | undefined;
  readonly #file: string | undefined;
  #isMissing = false;

  constructor(private readonly config: Config) {
    const { MASTER_KEY, MASTER_KEY_FILE, DATA_DIR } = config.values;
    this.#ownFile = !MASTER_KEY && !MASTER_KEY_FILE ? join(DATA_DIR, 'master-key') : undefined;
    this.#file = MASTER_KEY_FILE ?? this.#ownFile;
  }

  /** Whether the service, not the operator, writes the keys. */
  get writesOwnFile(): boolean {
    return this.#ownFile !== undefined;
  }

  /** The file in which the service stores a key that it generates. */
  get ownFile(): string {
    return this.#ownFile ?? this.place;
  }

  /** The file or the variable that has the keys, for messages to the operator. */
  get place(): string {
    // An operator command may run on a machine without the data folder of the service. There, name the variables
    // instead of the missing file.
    if (this.#ownFile && this.#isMissing && this.config.values.DATABASE_URL) return 'MASTER_KEY or MASTER_KEY_FILE';
    return this.#file ?? 'MASTER_KEY';
  }

  /** What the operator must do before a rotation if the service does not write its keys. */
  get beforeRotation(): string {
    const { MASTER_KEY_FILE } = this.config.values;
    const way = MASTER_KEY_FILE
      ? `add the new key to ${MASTER_KEY_FILE} as its next one, or set MASTER_KEY_NEXT`
      : 'set MASTER_KEY_NEXT';
    return `There is no new master key to change to: ${way}, here and on every replica, and rotate again`;
  }

  /** What the operator must do after a rotation. `from` and `to` are ids. */
  afterRotation(from: string, to: string): string {
    const need = 'Backups taken before this rotation need the old key';
    if (this.#ownFile) {
      const kept = `${this.#ownFile} keeps it under its id ${from} until \`secrets forget-master-key ${from}\``;
      return `${need}: ${kept}. Keep a copy of that file in another place`;
    }
    const { MASTER_KEY_FILE, MASTER_KEY_NEXT } = this.config.values;
    if (MASTER_KEY_FILE) {
      const unset = MASTER_KEY_NEXT ? ', and unset MASTER_KEY_NEXT' : '';
      const change = `make ${to} the current key of ${MASTER_KEY_FILE} and ${from} a retired one${unset}`;
      return `${change}, on every replica. ${need}: keep it there until none of them is left`;
    }
    const change = 'put the key of MASTER_KEY_NEXT alone into MASTER_KEY and unset MASTER_KEY_NEXT, on every replica';
    return `${change}. ${need} (id ${from}): keep it in a safe place`;
  }

  /** What the operator must do to remove a retired key from a place that the service does not write. */
  afterForgetting(id: string): string {
    return `remove the line of the key ${id} from ${this.place}, on every replica`;
  }

  async read(): Promise<OfferedKeys> {
    const { MASTER_KEY, MASTER_KEY_NEXT } = this.config.values;
    const given = this.#file === undefined ? keysOf(MASTER_KEY) : await this.#readFile();
    this.#isMissing = given === this.#missing;
    if (typeof given === 'string') return { keys: NO_KEYS, problem: given, isMissing: this.#isMissing };
    const next = keysOf(MASTER_KEY_NEXT).current;
    const keys = next ? { ...given, next: [...given.next, next] } : given;
    return { keys, problem: undefined, isMissing: false };
  }

  /** Creates the service's own file with one key, without labels. Does nothing if the file exists. */
  async writeFirst(key: MasterKey): Promise<void> {
    const { draft, file } = await this.#draft(`${textOfMasterKey(key)}\n`);
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await unlink(draft);
    await syncFolder(dirname(file));
  }

  /** Replaces the service's own file atomically, so that a reader sees either the old keys or the new ones. */
  async change(change: (keys: MasterKeys) => MasterKeys): Promise<void> {
    const keys = await this.#readFile();
    if (typeof keys === 'string') throw unavailable(`The master key cannot be changed: ${keys}`);
    const { draft, file } = await this.#draft(textOfMasterKeys(change(keys)));
    await rename(draft, file);
    await syncFolder(dirname(file));
  }

  async #draft(text: string): Promise<{ draft: string; file: string }> {
    if (this.#ownFile === undefined)
      throw new GatewayError('internal', 'The master key is not kept in a file of this service');
    await mkdir(dirname(this.#ownFile), { recursive: true });
    const draft = `${this.#ownFile}.${randomUUID()}`;
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return { draft, file: this.#ownFile };
  }

  get #missing(): string {
    return this.#ownFile && this.config.values.DATABASE_URL
      ? 'set MASTER_KEY or MASTER_KEY_FILE'
      : `the master key file ${this.#file} is missing: put it back`;
  }

  /** Returns the keys of the key file, or a sentence with the reason why there are none. */
  async #readFile(): Promise<MasterKeys | string> {
    const path = this.#file!;
    try {
      const keys = parseMasterKeys(await readFile(path, 'utf8'));
      return typeof keys === 'string'
        ? `${path} ${/^line \d/.test(keys) ? `is not a master key file: ${keys}` : keys}`
        : keys;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code === 'ENOENT'
        ? this.#missing
        : `the master key file ${path} cannot be read (${code ?? 'unknown fault'})`;
    }
  }
}

/** Parses the value of a variable as the current key. The configuration has validated the value. */
const keysOf = (text: string | undefined): MasterKeys =>
  text ? { ...NO_KEYS, current: parseMasterKey(text) } : NO_KEYS;
