import { Injectable } from '@nestjs/common';
import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Notifications } from '../../database/notifications.js';
import { Sql, type SqlSession } from '../../database/sql.js';
import { Clock } from '../../kernel/clock.js';
import { GatewayError } from '../../kernel/errors.js';
import { newId } from '../../kernel/ids.js';
import { KeyRing } from './key-ring.js';
import { openBytes, sealBytes } from './sealing.js';

const CACHED_KEYS = 1_000;
/** How long a data key stays unwrapped in memory; destroyed ones leave at once by notification. */
const LONGEST_HELD_MS = 60_000;
/** A rotation can overtake a look-up once; more often than this it is another fault. */
const TRIES = 3;

/** The binding of a wrapped data key: it does not unwrap as another one. */
export const bindingOfDataKey = (id: string): string => `data_key:${id}`;

/** Makes, finds and destroys data keys. Unwrapped they are KeyObjects, in a bounded cache, for a short time. */
@Injectable()
export class DataKeys {
  readonly #unwrapped = new LRUCache<string, KeyObject>({ max: CACHED_KEYS, ttl: LONGEST_HELD_MS });
  readonly #loading = new Map<string, Promise<KeyObject>>();

  constructor(
    private readonly ring: KeyRing,
    private readonly sql: Sql,
    private readonly clock: Clock,
    notifications: Notifications,
  ) {
    notifications.on('data_key_destroyed', (id) => this.#forget(id));
    notifications.onGap(() => this.#forgetAll());
  }

  async create(session: SqlSession): Promise<string> {
    const master = await this.ring.holdCurrent(session);
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

  /** `session`: where the key was made in a transaction that is still open, nobody else sees it. */
  async find(id: string, session?: SqlSession): Promise<KeyObject> {
    const remembered = this.#unwrapped.get(id);
    if (remembered) return remembered;
    if (session) return this.#unwrap(id, session);
    const underWay = this.#loading.get(id);
    if (underWay) return underWay;
    const load = this.#unwrap(id, this.sql)
      .then((key) => {
        // Destroyed while it was being read: it is answered to who asked before, and not remembered.
        if (this.#loading.get(id) === load) this.#unwrapped.set(id, key);
        return key;
      })
      .finally(() => {
        if (this.#loading.get(id) === load) this.#loading.delete(id);
      });
    this.#loading.set(id, load);
    return load;
  }

  async destroy(id: string, session: SqlSession): Promise<void> {
    await session.query('delete from data_key where id = $1', [id]);
    this.#forget(id);
  }

  async #unwrap(id: string, session: SqlSession): Promise<KeyObject> {
    this.ring.demand();
    for (let tried = 0; tried < TRIES; tried++) {
      const [row] = await session.query<{ master_key_id: string; wrapped: Buffer }>(
        'select master_key_id, wrapped from data_key where id = $1',
        [id],
      );
      if (!row) throw new GatewayError('internal', 'This secret cannot be opened: its data key does not exist');
      const master = await this.ring.find(row.master_key_id);
      // Wrapped anew since the row was read, and the key that wrapped it before is gone already.
      if (!master) continue;
      const bytes = openBytes(master.key, bindingOfDataKey(id), row.wrapped);
      if (!bytes) throw new GatewayError('internal', 'This secret cannot be opened: its data key was changed or moved');
      return createSecretKey(bytes);
    }
    throw new GatewayError(
      'unavailable',
      'Secrets are unavailable on this service: this one is wrapped by a master key that is not known here',
    );
  }

  #forget(id: string): void {
    this.#unwrapped.delete(id);
    this.#loading.delete(id);
  }

  #forgetAll(): void {
    this.#unwrapped.clear();
    this.#loading.clear();
  }
}
