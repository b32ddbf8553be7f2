import { Injectable } from '@nestjs/common';
import { Clock } from '../kernel/clock.js';
import { workspacesOf, type Reach } from '../kernel/access/reach.js';
import type { Nano } from '../kernel/money.js';
import type { Page } from '../kernel/page.js';
import type { KeyClass } from '../kernel/principal.js';
import { Sql } from '../database/sql.js';
import { startOf } from './ledger/sql/limits.sql.js';

export const KEY_STATES = ['active', 'disabled', 'expired'] as const;
export type KeyState = (typeof KEY_STATES)[number];

const STATE = `case when k.disabled then 'disabled' when k.expires_at <= $2 then 'expired' else 'active' end`;
const USED = 'coalesce(ledger_limit_used(k, b, $2), ledger_limit(k, $2))';
const SHARE = `case when ledger_limit(k, $2) > 0 then ${USED}::float8 / ledger_limit(k, $2)
  when k.limit_nano is not null then 1 end`;
const month = (spend: string): string =>
  `case when b.month_start = ${startOf('month', '$2::timestamptz')} then b.${spend}_month else 0 end`;

/** The SQL expressions by which keys are sorted. */
const SORTS = {
  name: 'lower(k.name)',
  created_at: 'k.created_at',
  last_used_at: 'u.used_at',
  usage: 'b.usage',
  usage_monthly: month('usage'),
  limit_used: SHARE,
} as const;
export type KeySort = keyof typeof SORTS;
export const KEY_SORTS = Object.keys(SORTS) as KeySort[];

export const SORT_DIRECTIONS = ['asc', 'desc'] as const;
export type SortDirection = (typeof SORT_DIRECTIONS)[number];

/** The filters and the order of the list. An undefined filter allows any value. */
export interface KeyQuery extends Page {
  /** A part of the name or of the label, or the start of the hash, in upper or lower case. */
  readonly text?: string;
  readonly workspaceId?: string;
  readonly creatorUserId?: string;
  readonly state?: KeyState;
  readonly sort: KeySort;
  readonly direction: SortDirection;
}

/** A key with its spend and with the names of its workspace and its creator. */
export interface ListedKey {
  readonly no: number;
  readonly hash: string;
  readonly name: string;
  readonly label: string;
  readonly key_class: KeyClass;
  readonly state: KeyState;
  readonly workspace_id: string;
  readonly workspace_name: string;
  readonly creator_user_id: string | null;
  readonly creator_name: string | null;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  /** The stored time. Uses of the last minute may be missing. */
  readonly used_at: Date | null;
  /** Includes a raise. */
  readonly limit: Nano | null;
  readonly limit_reset: string | null;
  readonly limit_remaining: Nano | null;
  /** The used share of the limit, 1 for a limit of 0; null = unlimited. */
  readonly share: number | null;
  readonly usage: Nano;
  readonly usage_month: Nano;
  readonly byok_usage: Nano;
  readonly byok_usage_month: Nano;
  /** The number of former secrets that are still valid. */
  readonly former_secrets: number;
}

/**
 * Finds the rows of the page first, and reads names and counts only for them. The order by `created_at` uses the index
 * api_key_listed. For all other orders, the keys of the account are read from this index and sorted.
 */
const statement = (by: string, direction: SortDirection, nulls: string): string => `
  select page.*, w.name as workspace_name, creator.name as creator_name,
    (select count(*)::int from key_alias f where f.key_no = page.no and f.expires_at > $2) as former_secrets
  from (
    select k.no, k.hash, k.name, k.label, k.key_class, ${STATE} as state, k.workspace_id, k.creator_user_id,
      k.created_at, k.expires_at, u.used_at, ledger_limit(k, $2) as limit, k.limit_reset,
      case when k.limit_nano is not null then greatest(ledger_limit(k, $2) - ${USED}, 0) end as limit_remaining,
      ${SHARE} as share, b.usage, b.byok_usage, ${month('usage')} as usage_month,
      ${month('byok_usage')} as byok_usage_month, ${by} as sorted_by
    from api_key k
      join key_balance b on b.account_no = $3 and b.key_no = k.no
      left join key_use u on u.key_no = k.no
    where k.account_id = $1 and k.deleted_at is null and k.intern_id is null and k.console_session_id is null
      and ($4::uuid[] is null or (k.workspace_id = any($4) and k.key_class <> 'management') or k.creator_user_id = $5)
      and ($6::uuid is null or k.workspace_id = $6)
      and ($7::uuid is null or k.creator_user_id = $7)
      and ($8::text is null or ${STATE} = $8)
      and ($9::text is null or position(lower($9) in lower(k.name)) > 0 or position(lower($9) in lower(k.label)) > 0
        or starts_with(k.hash, lower($9)))
    order by ${by} ${direction}${nulls}, k.no ${direction} offset $10 limit $11) page
  join workspace w on w.id = page.workspace_id
  left join app_user creator on creator.id = page.creator_user_id
  order by page.sorted_by ${direction}${nulls}, page.no ${direction}`;

/** Lists keys with their spend. Omits the keys of console sessions and of interns. */
@Injectable()
export class KeyList {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  page(reach: Reach, query: KeyQuery): Promise<ListedKey[]> {
    const { sort, direction, text, workspaceId, creatorUserId, state, offset, limit } = query;
    // Keys without a value come last.
    const nulls = sort === 'last_used_at' || sort === 'limit_used' ? ' nulls last' : '';
    return this.sql.query<ListedKey>(statement(SORTS[sort], direction, nulls), [
      reach.accountId,
      this.clock.now(),
      reach.accountNo,
      workspacesOf(reach) ?? null,
      reach.only?.userId ?? null,
      workspaceId ?? null,
      creatorUserId ?? null,
      state ?? null,
      text ?? null,
      offset,
      limit,
    ]);
  }
}
