import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Notifications } from '../../database/notifications.js';
import { Sql, type SqlSession } from '../../database/sql.js';
import { unavailable } from '../../kernel/errors/errors.js';
import { passesCheck, type MasterKey } from './master-key.js';
import { allOf, type MasterKeys } from './master-key-file.js';
import { MasterKeySource, NO_KEYS } from './master-key-source.js';

const MAX_ATTEMPTS = 3;

/**
 * The available master keys. The configuration offers a set of keys, and the database stores the id of the current key.
 * A rotation therefore needs no coordinated restart.
 */
@Injectable()
export class KeyRing implements OnModuleInit {
  readonly source: MasterKeySource;
  #offered: MasterKeys = NO_KEYS;
  #keys = new Map<string, MasterKey>();
  #problem: string | undefined = 'the master key has not been read yet';
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(
    config: Config,
    private readonly sql: Sql,
    notifications: Notifications,
  ) {
    this.source = new MasterKeySource(config);
    const readAgain = (): void => void this.read().catch(() => undefined);
    notifications.on('master_key_changed', readAgain);
    notifications.onGap(readAgain);
  }

  onModuleInit(): Promise<void> {
    return this.read();
  }

  /** Why secrets are unavailable; undefined = they are available. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Throws `unavailable` with the remedy if secrets are unavailable. */
  assertPresent(): void {
    if (this.#problem !== undefined) throw unavailable(`Secrets are unavailable on this service: ${this.#problem}`);
  }

  /** The keys that the configuration offers, by purpose. */
  get keys(): MasterKeys {
    return this.#offered;
  }

  /** All keys that the configuration offers, including those not in use. */
  get offered(): readonly MasterKey[] {
    return [...this.#keys.values()];
  }

  /**
   * Returns the key with this id. If the id is unknown, reads the source again, because a rotation may have just added
   * the key.
   */
  async find(id: string): Promise<MasterKey | undefined> {
    if (!this.#keys.has(id)) await this.read();
    return this.#keys.get(id);
  }

  /**
   * Returns the current key and locks its row until the session's transaction ends. A rotation waits for this lock, so
   * that it rewraps the data keys that this transaction creates. `session` must be inside a transaction.
   */
  async lockCurrent(session: SqlSession): Promise<MasterKey> {
    this.assertPresent();
    const lock = `select id from master_key where state = 'current' for share`;
    const [first] = await session.query<{ id: string }>(lock);
    // If a rotation commits while the first query waits, that query returns no row; the second one returns the new key.
    const [row] = first ? [first] : await session.query<{ id: string }>(lock);
    const key = row && (await this.find(row.id));
    if (!key)
      throw unavailable(
        `Secrets are unavailable on this service: ${this.#problem ?? 'the current master key is not known here'}`,
      );
    return key;
  }

  /** Reads the source and the database again. Calls during a run share the next run. */
  read(): Promise<void> {
    this.#next ??= (this.#running ?? Promise.resolve()).then(() => {
      this.#next = undefined;
      const run = this.#read();
      this.#running = run.catch(() => undefined);
      return run;
    });
    return this.#next;
  }

  async #read(): Promise<void> {
    // A rotation may happen between the two reads, so a mismatch is reported only if it persists.
    for (let tried = 0; tried < MAX_ATTEMPTS; tried++) {
      const current = await currentKeyIn(this.sql);
      const offered = await this.source.read();
      // If the source becomes unreadable while the service runs, keep the keys that were read before.
      if (offered.problem === undefined || this.#keys.size === 0) {
        this.#offered = offered.keys;
        this.#keys = new Map(allOf(offered.keys).map((key) => [key.id, key]));
      }
      const problem = this.#keys.size === 0 ? offered.problem : this.#faultOf(current);
      if (problem === undefined || tried === MAX_ATTEMPTS - 1) this.#problem = problem;
      if (problem === undefined) return;
    }
  }

  /** Compares the offered keys with the current key of the database. Returns the problem; undefined = none. */
  #faultOf(current: CurrentKey | undefined): string | undefined {
    if (!current) return 'this database has no master key yet: the first start of the service sets or generates one';
    const key = this.#keys.get(current.id);
    if (key && passesCheck(key, current.check_value)) return undefined;
    return `${this.source.place} is not the master key of this database (whose id is ${current.id}): set the right one`;
  }
}

/** The current master key, as it is stored in the database. */
export interface CurrentKey {
  readonly id: string;
  readonly check_value: Buffer;
}

export async function currentKeyIn(session: SqlSession): Promise<CurrentKey | undefined> {
  const [current] = await session.query<CurrentKey>(`select id, check_value from master_key where state = 'current'`);
  return current;
}
