import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { LoadingCache } from '../database/loading-cache.js';
import { Notifications } from '../database/notifications.js';
import { Sql } from '../database/sql.js';
import { atMostEntries } from '../kernel/cache-options.js';
import type { ConsoleSession } from './console-session.js';

const MAX_CACHED_SESSIONS = 10_000;
/** Without notifications from the database, a sign-out takes effect on every replica within this time. */
const MAX_CACHE_AGE_MS = 4_000;

interface Found {
  readonly session: ConsoleSession | null;
}

/** Finds sessions by the hash of their token, and caches them until the database notifies a change. */
@Injectable()
export class SessionDirectory {
  readonly #sessions: LoadingCache<Found>;

  constructor(
    private readonly sql: Sql,
    notifications: Notifications,
  ) {
    const store = new LRUCache<string, Found>({ ...atMostEntries(MAX_CACHED_SESSIONS), ttl: MAX_CACHE_AGE_MS });
    this.#sessions = new LoadingCache<Found>(store, (tokenHash) => this.#read(tokenHash));
    this.#sessions.invalidateOn(notifications, 'console_session_changed');
  }

  /** Null if there is no valid session at `now`. */
  async find(tokenHash: string, now: Date): Promise<ConsoleSession | null> {
    const { session } = await this.#sessions.get(tokenHash);
    return session && session.expiresAt > now ? session : null;
  }

  forget(tokenHash: string): void {
    this.#sessions.delete(tokenHash);
  }

  async #read(tokenHash: string): Promise<Found> {
    const [session = null] = await this.sql.query<ConsoleSession>(
      `select id, token_hash as "tokenHash", account_id as "accountId", user_id as "userId", opened_by as "openedBy",
         json_build_object('main', main_key_hash, 'calls', calls_key_hash) as keys, expires_at as "expiresAt"
       from console_session where token_hash = $1`,
      [tokenHash],
    );
    return { session };
  }
}
