import { Injectable } from '@nestjs/common';
import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { LoadingCache } from '../../database/loading-cache.js';
import { Notifications } from '../../database/notifications.js';
import { Sql, type SqlSession } from '../../database/sql.js';
import { atMostEntries } from '../../kernel/cache-options.js';
import { Clock } from '../../kernel/clock.js';
import { GatewayError, unavailable } from '../../kernel/errors/errors.js';
import { newId } from '../../kernel/ids.js';
import { KeyRing } from './key-ring.js';
import { openBytes, sealBytes } from './sealing.js';

const MAX_CACHED_KEYS = 1_000;
/** The time for which an unwrapped data key is cached. A notification removes destroyed data keys at once. */
const MAX_HELD_MS = 60_000;
/** A rotation can make a lookup fail once. Further failures have another cause. */
const MAX_ATTEMPTS = 3;

/** The binding of a wrapped data key, so that its bytes cannot be unwrapped as another data key. */
export const bindingOfDataKey = (id: string): string => `data_key:${id}`;

/**
 * Creates, finds and destroys data keys. Unwrapped data keys are KeyObjects in a bounded cache with a short lifetime.
 */
@Injectable()
export class DataKeys {
  readonly #unwrapped = new LoadingCache<KeyObject>(
    new LRUCache<string, KeyObject>({ ...atMostEntries(MAX_CACHED_KEYS), ttl: MAX_HELD_MS }),
    (id) => this.#unwrap(id, this.sql),
  );

  constructor(
    private readonly ring: KeyRing,
    private readonly sql: Sql,
    private readonly clock: Clock,
    notifications: Notifications,
  ) {
    this.#unwrapped.invalidateOn(notifications, 'data_key_destroyed');
  }

  async create(session: SqlSession): Promise<string> {
    const master = await this.ring.lockCurrent(session);
    const id = newId(this.clock.now().getTime());
    const wrapped = sealBytes(master.key, bindingOfDataKey(id), randomBytes(32));
    await session.query('insert into data_key (id, master_key_id, wrapped, created_at) values ($1, $2, $3, $4)', [
      id,
      master.id,
      wrapped,
      this.clock.now(),
    ]);
    return id;
  }

  /** `session`: required if the key was created in that session's open transaction. */
  async find(id: string, session?: SqlSession): Promise<KeyObject> {
    if (!session) return this.#unwrapped.get(id);
    return this.#unwrapped.cached(id) ?? this.#unwrap(id, session);
  }

  async destroy(id: string, session: SqlSession): Promise<void> {
    await session.query('delete from data_key where id = $1', [id]);
    this.#unwrapped.delete(id);
  }

  async #unwrap(id: string, session: SqlSession): Promise<KeyObject> {
    this.ring.assertPresent();
    for (let tried = 0; tried < MAX_ATTEMPTS; tried++) {
      const [row] = await session.query<{ master_key_id: string; wrapped: Buffer }>(
        'select master_key_id, wrapped from data_key where id = $1',
        [id],
      );
      if (!row) throw new GatewayError('internal', 'This secret cannot be opened: its data key does not exist');
      const master = await this.ring.find(row.master_key_id);
      // A rotation rewrapped the data key after the row was read, and the old master key was removed. Read the row
      // again.
      if (!master) continue;
      const bytes = openBytes(master.key, bindingOfDataKey(id), row.wrapped);
      if (!bytes) throw new GatewayError('internal', 'This secret cannot be opened: its data key was changed or moved');
      return createSecretKey(bytes);
    }
    throw unavailable(
      'This secret cannot be opened: its data key is wrapped by a master key that this service does not have',
    );
  }
}
