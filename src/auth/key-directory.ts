import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Config } from '../config/config.js';
import { isDatabaseUnavailable } from '../database/database-faults.js';
import { LoadingCache, type CacheStore } from '../database/loading-cache.js';
import { Notifications } from '../database/notifications.js';
import { Sql } from '../database/sql.js';
import { atMostEntries } from '../kernel/cache-options.js';
import { toKnownKey, type KeyRow, type KnownKey } from './known-key.js';

const KEY_CHANGED = 'api_key_changed';
const MAX_CACHED_KEYS = 20_000;
/** Unknown keys have their own cache, so that they cannot displace known keys. */
const MAX_CACHED_UNKNOWN_KEYS = 5_000;
/**
 * The maximum age of a cached key. Even without a notification, a change takes effect on every replica within 5 s,
 * including the time of the query.
 */
const MAX_CACHE_AGE_MS = 4_000;
/** Timeout for reading a known key again, as a share of the statement timeout. */
const RENEW_TIMEOUT_SHARE = 0.1;
/**
 * While the database is unavailable, a cached key is accepted for this time after its last read, so that requests that
 * need no database succeed.
 */
const MAX_OUTAGE_MS = 3_600_000;

/**
 * SQL: the workspaces of the member who created a key, if the role of the key is restricted to workspaces. Every member
 * belongs to the default workspace.
 */
const MEMBERSHIPS = `case when k.role in ('billing', 'developer', 'viewer') then (
    select json_agg(json_build_object('workspaceId', own.id, 'workspaceNo', own.no, 'role', coalesce(m.role, 'member')))
    from workspace own
    left join workspace_member m on m.workspace_id = own.id and m.user_id = k.creator_user_id
    where own.account_id = k.account_id and own.deleted_at is null and (own.is_default or m.user_id is not null)) end`;

/**
 * Finds keys by their hash, or by a former hash that is still valid. Keys and the hashes of unknown keys are cached
 * until they are too old or the database notifies a change.
 */
@Injectable()
export class KeyDirectory {
  readonly #store = new KeyStore();
  readonly #keys: LoadingCache<KnownKey | null>;
  #isDatabaseUnavailable = false;

  constructor(
    private readonly sql: Sql,
    private readonly notifications: Notifications,
    private readonly config: Config,
  ) {
    this.#keys = new LoadingCache<KnownKey | null>(this.#store, (hash) => this.#load(hash));
    this.#keys.invalidateOn(notifications, KEY_CHANGED);
  }

  /** Returns null if the key does not exist. Synchronous if the result is cached. */
  find(hash: string): KnownKey | null | Promise<KnownKey | null> {
    const cached = this.#keys.cached(hash);
    if (cached !== undefined) return cached;
    const known = this.#store.outdated(hash);
    return known ? this.#renew(hash, known) : this.#keys.load(hash);
  }

  /** Returns the key if it is cached and was read within MAX_CACHE_AGE_MS. */
  cached(hash: string): KnownKey | undefined {
    return this.#store.fresh(hash);
  }

  /** Whether this process has read the key within the last MAX_OUTAGE_MS. */
  isKnown(hash: string): boolean {
    return this.#store.outdated(hash) !== undefined;
  }

  /**
   * Must be called after this process has changed a key, so that caches and credit leases need not wait for the
   * notification.
   */
  forget(hash: string): void {
    this.notifications.dispatch(KEY_CHANGED, hash);
  }

  /**
   * Reads the key again. If the database is unavailable, returns the cached key. Only one read at a time then probes
   * the database.
   */
  #renew(hash: string, known: KnownKey): KnownKey | Promise<KnownKey | null> {
    if (this.#isDatabaseUnavailable && this.#keys.isLoading) return known;
    const timeoutMs = this.sql.timeoutMs * RENEW_TIMEOUT_SHARE || undefined;
    const renewed = this.#keys
      .load(hash, () => this.#load(hash, timeoutMs))
      .catch((error: unknown) => {
        if (!isDatabaseUnavailable(error)) throw error;
        return known;
      });
    return this.#isDatabaseUnavailable ? known : renewed;
  }

  async #load(hash: string, timeoutMs?: number): Promise<KnownKey | null> {
    try {
      const key = await this.#read(hash, timeoutMs);
      this.#isDatabaseUnavailable = false;
      return key;
    } catch (error) {
      this.#isDatabaseUnavailable = isDatabaseUnavailable(error);
      throw error;
    }
  }

  async #read(hash: string, timeoutMs?: number): Promise<KnownKey | null> {
    const [row] = await this.sql.query<KeyRow>(
      `select k.no, k.hash, k.label, k.key_class, k.disabled,
         least(k.expires_at, found.expires_at) as expires_at, k.creator_user_id, k.include_byok_in_limit,
         k.response_cache_ttl_s, k.intern_id, k.role,
         ${MEMBERSHIPS} as memberships, k.account_id, a.no as account_no, a.is_operator, k.workspace_id,
         w.no as workspace_no, w.default_max_output_tokens, w.call_limits as workspace_call_limits,
         settings.allowed_models, settings.requests_per_minute, settings.export_content,
         settings.call_limits, settings.trust_end_user_headers,
         sessions.no as session_budget_no, sessions.limited_by_calls,
         p.no as parent_no, p.hash as parent_hash, p.include_byok_in_limit as parent_counts_byok,
         p.deleted_at is not null as parent_deleted, p.disabled as parent_disabled, p.expires_at as parent_expires_at
       from (select no, null::timestamptz as expires_at from api_key where hash = $1
             union all select key_no, expires_at from key_alias where hash = $1) found
       join api_key k on k.no = found.no
       join account a on a.id = k.account_id
       join workspace w on w.id = k.workspace_id
       left join api_key p on p.no = k.parent_no
       join api_key settings on settings.no = coalesce(k.parent_no, k.no)
       left join budget sessions on sessions.session_key_no = settings.no
         and (settings.session_limit_nano is not null or sessions.limited_by_calls)
       where k.deleted_at is null`,
      [hash],
      { timeoutMs },
    );
    return row ? toKnownKey(row, this.config.values.END_USER_HEADERS) : null;
  }
}

/**
 * The cached keys and the hashes of unknown keys. `clear` keeps known keys and marks them as outdated, because they are
 * needed while the database is unavailable.
 */
class KeyStore implements CacheStore<KnownKey | null> {
  readonly #known = new LRUCache<string, { readonly key: KnownKey; readonly readAt: number }>(
    atMostEntries(MAX_CACHED_KEYS),
  );
  readonly #unknown = new LRUCache<string, true>({ ...atMostEntries(MAX_CACHED_UNKNOWN_KEYS), ttl: MAX_CACHE_AGE_MS });
  /** On the clock of performance.now(). Keys that were read before this time are outdated. */
  #clearedAt = 0;

  get(hash: string): KnownKey | null | undefined {
    return this.fresh(hash) ?? (this.#unknown.has(hash) ? null : undefined);
  }

  fresh(hash: string): KnownKey | undefined {
    const entry = this.#known.get(hash);
    return entry && performance.now() - entry.readAt < MAX_CACHE_AGE_MS && entry.readAt >= this.#clearedAt
      ? entry.key
      : undefined;
  }

  /** Returns a key that was read within MAX_OUTAGE_MS, even if it is outdated. */
  outdated(hash: string): KnownKey | undefined {
    const entry = this.#known.get(hash);
    return entry && performance.now() - entry.readAt < MAX_OUTAGE_MS ? entry.key : undefined;
  }

  set(hash: string, key: KnownKey | null): void {
    if (key) {
      this.#known.set(hash, { key, readAt: performance.now() });
    } else {
      this.#known.delete(hash);
      this.#unknown.set(hash, true);
    }
  }

  delete(hash: string): void {
    this.#known.delete(hash);
    this.#unknown.delete(hash);
  }

  clear(): void {
    this.#clearedAt = performance.now();
    this.#unknown.clear();
  }
}
