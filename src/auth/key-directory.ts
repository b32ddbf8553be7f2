import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Notifications } from '../database/notifications.js';
import { Sql } from '../database/sql.js';
import type { KeyClass, Principal } from '../kernel/principal.js';

/** A key as the guards need it. */
export interface KnownKey {
  readonly principal: Principal;
  readonly disabled: boolean;
  readonly expiresAt: number | null;
}

const CACHED_KEYS = 20_000;
/** Even with the notification channel down, a change is known on every replica within 5 s: this, and time to ask. */
const LONGEST_BELIEF_MS = 4_000;

/** Finds keys by hash; remembers them, unknown ones too, until the database says that they changed. */
@Injectable()
export class KeyDirectory {
  readonly #cache = new LRUCache<string, { key: KnownKey | null }>({ max: CACHED_KEYS, ttl: LONGEST_BELIEF_MS });
  readonly #loading = new Map<string, Promise<KnownKey | null>>();

  constructor(
    private readonly sql: Sql,
    notifications: Notifications,
  ) {
    notifications.on('api_key_changed', (hash) => this.forget(hash));
    notifications.onGap(() => this.#cache.clear());
  }

  /** Synchronous where the answer is remembered. */
  find(hash: string): KnownKey | null | Promise<KnownKey | null> {
    const remembered = this.#cache.get(hash);
    return remembered ? remembered.key : this.#load(hash);
  }

  forget(hash: string): void {
    this.#cache.delete(hash);
    this.#loading.delete(hash);
  }

  #load(hash: string): Promise<KnownKey | null> {
    const underWay = this.#loading.get(hash);
    if (underWay) return underWay;
    const load = this.#read(hash).then(
      (key) => {
        // A change notified while the row was being read took this load away: its answer may be the old one.
        if (this.#loading.get(hash) === load) {
          this.#cache.set(hash, { key });
          this.#loading.delete(hash);
        }
        return key;
      },
      (error: unknown) => {
        if (this.#loading.get(hash) === load) this.#loading.delete(hash);
        throw error;
      },
    );
    this.#loading.set(hash, load);
    return load;
  }

  async #read(hash: string): Promise<KnownKey | null> {
    const [row] = await this.sql.query<KeyRow>(
      `select k.no, k.key_class, k.disabled, k.expires_at, k.creator_user_id, k.include_byok_in_limit, k.intern_id, k.account_id, a.no as account_no, k.workspace_id, w.no as workspace_no
       from api_key k join account a on a.id = k.account_id join workspace w on w.id = k.workspace_id
       where k.hash = $1 and k.deleted_at is null`,
      [hash],
    );
    if (!row) return null;
    return {
      principal: {
        keyHash: hash,
        keyNo: row.no,
        keyClass: row.key_class,
        accountId: row.account_id,
        accountNo: row.account_no,
        workspaceId: row.workspace_id,
        workspaceNo: row.workspace_no,
        creatorUserId: row.creator_user_id,
        countsByok: row.include_byok_in_limit,
        internId: row.intern_id,
      },
      disabled: row.disabled,
      expiresAt: row.expires_at?.getTime() ?? null,
    };
  }
}

interface KeyRow {
  readonly no: number;
  readonly key_class: KeyClass;
  readonly disabled: boolean;
  readonly expires_at: Date | null;
  readonly creator_user_id: string | null;
  readonly include_byok_in_limit: boolean;
  readonly intern_id: string | null;
  readonly account_id: string;
  readonly account_no: number;
  readonly workspace_id: string;
  readonly workspace_no: number;
}
