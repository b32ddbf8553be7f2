import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Notifications } from '../../database/notifications.js';
import { Sql, type SqlSession } from '../../database/sql.js';
import { Clock } from '../../kernel/clock.js';
import { GatewayError } from '../../kernel/errors.js';
import { checkValueOf, newMasterKey, passesCheck, type MasterKey } from './master-key.js';
import { MasterKeySource } from './master-key-source.js';

const TRIES = 3;

/**
 * The master keys at hand. The configuration offers a set of keys; the database tells by id which of them is in force, so that
 * a rotation changes one row and no process has to be restarted in step with another.
 */
@Injectable()
export class KeyRing implements OnModuleInit {
  readonly source: MasterKeySource;
  readonly #log = new Logger('secrets');
  #keys = new Map<string, MasterKey>();
  #problem: string | undefined = 'the master key has not been read yet';
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(
    config: Config,
    private readonly sql: Sql,
    private readonly clock: Clock,
    notifications: Notifications,
  ) {
    this.source = new MasterKeySource(config);
    const readAgain = (): void => void this.read().catch(() => undefined);
    notifications.on('master_key_changed', readAgain);
    notifications.onGap(readAgain);
  }

  async onModuleInit(): Promise<void> {
    await this.read();
    if (this.#problem !== undefined)
      this.#log.warn(`Secrets cannot be sealed or opened: ${this.#problem}. Everything else is served.`);
  }

  /** Why secrets are unavailable; undefined where they are available. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Throws `unavailable` with what to do about it. */
  demand(): void {
    if (this.#problem !== undefined)
      throw new GatewayError('unavailable', `Secrets are unavailable on this service: ${this.#problem}`);
  }

  /** Every key that the configuration offers, whether it is in force or not. */
  get offered(): readonly MasterKey[] {
    return [...this.#keys.values()];
  }

  /** The key of an id. One that is not known is looked for in the source again: a rotation may have just brought it. */
  async find(id: string): Promise<MasterKey | undefined> {
    if (!this.#keys.has(id)) await this.read();
    return this.#keys.get(id);
  }

  /**
   * The key in force, held in force until the session's transaction ends: a rotation waits for it, and so sees every data key
   * that was wrapped by the old key. `session` must be inside a transaction.
   */
  async holdCurrent(session: SqlSession): Promise<MasterKey> {
    this.demand();
    const held = `select id from master_key where state = 'current' for share`;
    const [first] = await session.query<{ id: string }>(held);
    // A rotation that commits while the first look waits leaves it without a row; a second look sees the new key.
    const [row] = first ? [first] : await session.query<{ id: string }>(held);
    const key = row && (await this.find(row.id));
    if (!key)
      throw new GatewayError(
        'unavailable',
        `Secrets are unavailable on this service: ${this.#problem ?? 'the master key in force is not known here'}`,
      );
    return key;
  }

  /** Reads the source and the database again. Callers that come while a run is under way share the one after it. */
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
    // A rotation may go on between the look at the file and the look at the database: a mismatch is believed when it stays.
    for (let tried = 0; tried < TRIES; tried++) {
      const [current] = await this.#current();
      if (current === undefined && this.source.keepsItsOwn) await this.source.writeFirst(newMasterKey());
      const offered = await this.source.read();
      // A file that vanishes under a running service does not take away what the service knows already.
      if (offered.problem === undefined || this.#keys.size === 0)
        this.#keys = new Map(offered.keys.map((key) => [key.id, key]));
      const problem = this.#keys.size === 0 ? offered.problem : await this.#faultOf(current);
      if (problem === undefined || tried === TRIES - 1) this.#problem = problem;
      if (problem === undefined) return;
    }
  }

  /** Compares the offered keys with the one in force. The first key that a database meets becomes its own. */
  async #faultOf(known: CurrentKey | undefined): Promise<string | undefined> {
    const [first] = this.#keys.values();
    const current = known ?? (await this.#adopt(first!));
    const key = this.#keys.get(current.id);
    if (key && passesCheck(key, current.check_value)) return undefined;
    return `${this.source.place} is not the master key of this database (whose id is ${current.id}): set the right one`;
  }

  async #adopt(key: MasterKey): Promise<CurrentKey> {
    await this.sql.query(
      `insert into master_key (id, state, check_value, created_at) values ($1, 'current', $2, $3) on conflict do nothing`,
      [key.id, checkValueOf(key), this.clock.now()],
    );
    const [current] = await this.#current();
    if (!current) throw new GatewayError('internal', 'The database has no master key in force');
    return current;
  }

  #current(): Promise<CurrentKey[]> {
    return this.sql.query<CurrentKey>(`select id, check_value from master_key where state = 'current'`);
  }
}

interface CurrentKey {
  readonly id: string;
  readonly check_value: Buffer;
}
