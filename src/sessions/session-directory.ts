import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { LoadingCache } from '../database/loading-cache.js';
import { Notifications } from '../database/notifications.js';
import { Sql } from '../database/sql.js';
import type { ConsoleSession, SessionOpening } from './console-session.js';

const MAX_CACHED_SESSIONS = 10_000;
/** Without the notification channel, a sign-out takes effect on every replica within this time. */
const MAX_CACHE_AGE_MS = 4_000;

interface Found {
  readonly session: ConsoleSession | null;
}

interface SessionRow {
  readonly id: string;
  readonly account_id: string;
  readonly user_id: string | null;
  readonly opened_by: SessionOpening;
  readonly main_key_hash: string;
  readonly calls_key_hash: string | null;
  readonly expires_at: Date;
}

/** Finds sessions by the hash of their token, cached until the database notifies a change. */
@Injectable()
export class SessionDirectory {
  readonly #sessions: LoadingCache<Found>;

  constructor(
    private readonly sql: Sql,
    notifications: Notifications,
  ) {
    const store = new LRUCache<string, Found>({ max: MAX_CACHED_SESSIONS, ttl: MAX_CACHE_AGE_MS });
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
    const [row] = await this.sql.query<SessionRow>(
      `select id, account_id, user_id, opened_by, main_key_hash, calls_key_hash, expires_at
       from console_session where token_hash = $1`,
      [tokenHash],
    );
    if (!row) return { session: null };
    const session = {
      id: row.id,
      tokenHash,
      accountId: row.account_id,
      userId: row.user_id,
      openedBy: row.opened_by,
      keys: { main: row.main_key_hash, calls: row.calls_key_hash },
      expiresAt: row.expires_at,
    };
    return { session };
  }
}
