import type { SqlFamily } from '../../../database/sql-family.js';
import { MAX_NANO } from '../../../kernel/money.js';

/**
 * Settings of the functions that find rows by id. Their statements are planned once per connection, not for each batch.
 * The tables are often empty at that time, so sequential scans are turned off.
 */
export const PLANS = 'set enable_seqscan = off set plan_cache_mode = force_generic_plan';

/** The windows of limits, with the corresponding values of `api_key.limit_reset`. */
export const WINDOWS = [
  { period: 'day', reset: 'daily' },
  { period: 'week', reset: 'weekly' },
  { period: 'month', reset: 'monthly' },
] as const;

/** SQL for the first day of the window that contains a time. Times are in UTC, and weeks begin on Monday. */
export const startOf = (period: string, at: string): string =>
  `date_trunc('${period}', ${at} at time zone 'UTC')::date`;

/** SQL for the first day of the previous window. `start`: the first day of a window. */
export const startBefore = (period: string, start: string): string => `(${start} - interval '1 ${period}')::date`;

/**
 * The sums in a key's balance, each as a total and per window (`usage`, `usage_day`, `usage_prev_day`). `delegated` is
 * the spend of the interns that the key created, which counts towards the key's limit but not as its usage.
 */
export const SPENDS = ['usage', 'byok_usage', 'delegated', 'byok_delegated'] as const;

/** SQL for the spend that counts towards a limit, from the columns of a balance that have this suffix. */
const counted = (suffix: string, balance = 'b'): string => `${balance}.usage${suffix} + ${balance}.delegated${suffix}
        + case when k.include_byok_in_limit
          then ${balance}.byok_usage${suffix} + ${balance}.byok_delegated${suffix} else 0 end`;

/** SQL that selects the expression for the period of the key's limit, or `total` if the limit never resets. */
export const ofLimitWindow = (write: (period: string) => string, total: string): string => `case k.limit_reset
        ${WINDOWS.map(({ period, reset }) => `when '${reset}' then ${write(period)}`).join('\n        ')}
        else ${total} end`;

/** SQL for the spend that counts in the window of the key's limit. `suffix` selects the columns of another window. */
export const countedInWindow = (balance = 'b', suffix = ''): string =>
  ofLimitWindow((period) => counted(`_${period}${suffix}`, balance), suffix === '' ? counted('', balance) : 'null');

/** SQL for the spend that counts in the window before the current one; null if the limit never resets. */
export const COUNTED_BEFORE = ofLimitWindow((period) => counted(`_prev_${period}`), 'null');

/**
 * SQL for the counted spend in the window that contains p_at. The spend is 0 if that window is after the current window
 * of the balance, and null if that window is before the previous window.
 */
const usedIn = (period: string): string => `case
      when ${startOf(period, 'p_at')} = b.${period}_start then ${counted(`_${period}`)}
      when ${startOf(period, 'p_at')} > b.${period}_start then 0
      when ${startOf(period, 'p_at')} = ${startBefore(period, `b.${period}_start`)} then ${counted(`_prev_${period}`)}
    end`;

/** The spend that counts towards the key's limit at a time; null if the balance no longer has that window. */
const LIMIT_USED = `create or replace function ledger_limit_used(k api_key, b key_balance, p_at timestamptz)
returns bigint language sql immutable as $$
  select case k.limit_reset
    ${WINDOWS.map(({ period, reset }) => `when '${reset}' then ${usedIn(period)}`).join('\n    ')}
    else ${counted('')} end
$$`;

/** SQL for a raised limit. Adds as numeric, because the sum of limit and raise may exceed a bigint. */
export const raised = (row: string): string =>
  `least(${row}.limit_nano::numeric + ${row}.raise_nano, ${MAX_NANO})::bigint`;

/** The limit at a time, including a raise; null = unlimited. */
const LIMIT = `create or replace function ledger_limit(k api_key, p_at timestamptz)
returns bigint language sql immutable as $$
  select case when p_at < k.raise_until then ${raised('k')} else k.limit_nano end
$$`;

/**
 * The limit at a time, minus the counted spend and the open reservations; null = unlimited. If the balance no longer
 * has the window, the whole limit counts as used.
 */
const LIMIT_FREE = `create or replace function ledger_limit_free(k api_key, b key_balance, p_at timestamptz)
returns bigint language sql immutable as $$
  select ledger_limit(k, p_at) - b.reserved - coalesce(ledger_limit_used(k, b, p_at), ledger_limit(k, p_at))
$$`;

/** The reason why the key may not be used at a time; null = it may be used. */
const KEY_FAULT = `create or replace function ledger_key_fault(k api_key, p_at timestamptz)
returns text language sql immutable as $$
  select case
    when k.deleted_at is not null then 'unknown'
    when k.disabled then 'disabled'
    when k.expires_at <= p_at then 'expired'
  end
$$`;

/**
 * Locks balances in the same order in every ledger function (accounts by number, then keys by account and number), so
 * that batches of different replicas cannot deadlock. p_key_accounts has the account of each key.
 */
const LOCK = `create or replace function ledger_lock(p_accounts int[], p_key_accounts int[], p_keys int[])
returns void language plpgsql as $$
begin
  perform from account_balance where account_no = any(p_accounts) order by account_no for update;
  perform from (select distinct i.a, i.k from unnest(p_key_accounts, p_keys) as i(a, k) order by 1, 2) i
    cross join lateral (select from key_balance b where b.account_no = i.a and b.key_no = i.k for update) b;
end $$`;

/**
 * Entries of the journal are posted within a second. Readers that need no older entries skip them, because the index
 * contains deleted entries until the table is vacuumed.
 */
export const NEW_ENTRIES_MS = 10_000;

/**
 * SQL: whether a lease `v` may hold credits that a recall would free: idle credits, or the amounts of calls that are
 * not posted yet.
 */
export const HOLDS_IDLE = `v.state = 'reserved' and v.lends_until is not null
      and (v.lends_until > clock_timestamp() or exists (select from ledger_journal j
        where j.account_no = v.account_no and j.at > clock_timestamp() - interval '${NEW_ENTRIES_MS} ms'
          and j.lease_id = v.id))`;

/** Returns ' lent' if a lease of the key (null: of any key) may hold idle credits; otherwise ''. */
const LENT = `create or replace function ledger_lent(p_account int, p_key int) returns text language sql stable as $$
  select case when exists (
    select from reservation v
    where v.account_no = p_account and (p_key is null or v.key_no = p_key) and ${HOLDS_IDLE}) then ' lent'
    else '' end
$$`;

/** The first four functions are plain SQL, which PostgreSQL inlines into the statements that call them. */
export const LIMITS: SqlFamily = {
  name: 'ledger limits',
  version: 6,
  statements: [LIMIT_USED, LIMIT, LIMIT_FREE, KEY_FAULT, LOCK, LENT],
};
