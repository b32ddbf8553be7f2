import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Config, ConfigError } from '../config/config.js';
import { DatabaseUrls } from '../database/database-urls.js';
import { StartConnection } from '../database/start-connection.js';
import type { SqlSession } from '../database/sql.js';
import { storageOf } from '../machine/mounted-volume.js';
import { currentKeyIn, KeyRing, type CurrentKey } from './envelope/key-ring.js';
import { allOf, type MasterKeys } from './envelope/master-key-file.js';
import { checkValueOf, newMasterKey, passesCheck, type MasterKey } from './envelope/master-key.js';

/**
 * Checks the master key of the database when a service starts, under the migration lock. A new database gets the
 * current key of the configuration, or a generated key. Throws a ConfigError if the keys cannot be read or do not
 * include the key of the database. Also throws if the service's own key file would be lost with the container.
 */
@Injectable()
export class MasterKeyStart implements OnModuleInit {
  readonly #log = new Logger('secrets');
  #connection: StartConnection | undefined;

  constructor(
    private readonly config: Config,
    private readonly urls: DatabaseUrls,
    private readonly ring: KeyRing,
  ) {}

  async onModuleInit(): Promise<void> {
    const connection = await StartConnection.open(this.urls.directUrl);
    try {
      await connection.exclusively(
        (session) => this.#settle(session, connection),
        (line) => this.#log.warn(line),
      );
      await this.ring.read();
    } catch (error) {
      await connection.close();
      throw error;
    }
    this.#connection = connection;
  }

  /**
   * Closes the connection of the start. Call this after the service has started to listen for notifications, because
   * other services detect this one by the connection of the start or by the connection for notifications.
   */
  async release(): Promise<void> {
    await this.#connection?.close();
    this.#connection = undefined;
  }

  /**
   * Logs that the service's own key file needs a backup. Call this at each start, after the last step that can fail.
   */
  warn(): void {
    const { source } = this.ring;
    if (source.writesOwnFile)
      this.#log.warn(
        `Back up the file ${source.ownFile}, apart from the database: it has the generated master key, without which ` +
          'nothing that is sealed can be opened again.',
      );
  }

  async #settle(session: SqlSession, connection: StartConnection): Promise<void> {
    const { source } = this.ring;
    if (source.writesOwnFile) await this.#assertDurable();
    const current = await currentKeyIn(session);
    const { keys, problem, isMissing } = await source.read();
    if (keys.current) return this.#compare(keys, current, session);
    if (!source.writesOwnFile || !isMissing)
      throw new ConfigError(current ? `${problem}; ${fingerprintOf(current)}` : problem!);
    const made = newMasterKey();
    if (current) await this.#assertReplaceable(current, made, session, connection);
    await source.writeFirst(made);
    await session.query(`delete from master_key where state <> 'retired'`);
    await adopt(made, session);
  }

  async #compare(keys: MasterKeys, current: CurrentKey | undefined, session: SqlSession): Promise<void> {
    if (!current) return adopt(keys.current!, session);
    const key = allOf(keys).find(({ id }) => id === current.id);
    if (key && passesCheck(key, current.check_value)) return;
    throw new ConfigError(
      `${this.ring.source.place} holds the master key with the fingerprint ${keys.current!.id}, and ` +
        `${fingerprintOf(current)}: set that one`,
    );
  }

  /**
   * Throws a ConfigError unless a new key may replace the lost key. No data key may exist, and no other service may run
   * on the database.
   */
  async #assertReplaceable(
    current: CurrentKey,
    made: MasterKey,
    session: SqlSession,
    connection: StartConnection,
  ): Promise<void> {
    const { ownFile: place } = this.ring.source;
    const [sealed] = await session.query('select from data_key limit 1');
    if (sealed)
      throw new ConfigError(
        `there is no master key in ${place}, secrets are sealed, and ${fingerprintOf(current)}: put that key back, ` +
          'or set MASTER_KEY or MASTER_KEY_FILE',
      );
    if (await connection.hasOthers())
      throw new ConfigError(
        `there is no master key in ${place}, and ${fingerprintOf(current)}, which another service uses: a new one ` +
          `(here ${made.id}) must not replace it. Copy that service's key to ${place}, or set MASTER_KEY or ` +
          'MASTER_KEY_FILE on all of them',
      );
  }

  async #assertDurable(): Promise<void> {
    const { DATA_DIR, DATABASE_URL, REQUIRE_DATA_VOLUME } = this.config.values;
    if (!REQUIRE_DATA_VOLUME) return;
    const storage = await storageOf(DATA_DIR);
    // An anonymous volume is lost together with the embedded database in it, so no sealed row can remain without its
    // key.
    if (storage === 'mount' || (storage === 'anonymous volume' && !DATABASE_URL)) return;
    throw new ConfigError(
      `the master key would be kept in DATA_DIR (${DATA_DIR}), which is not a mounted volume and is lost ` +
        'with the container: mount a named volume there, or set MASTER_KEY or MASTER_KEY_FILE',
    );
  }
}

const fingerprintOf = ({ id }: CurrentKey): string => `the database has the one with the fingerprint ${id}`;

async function adopt(key: MasterKey, session: SqlSession): Promise<void> {
  await session.query(
    `insert into master_key (id, state, check_value, created_at) values ($1, 'current', $2, now())
      on conflict do nothing`,
    [key.id, checkValueOf(key)],
  );
}
