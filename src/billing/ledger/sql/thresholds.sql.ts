import type { SqlFamily } from '../../../database/sql-family.js';
import { countedInWindow, ofLimitWindow, PLANS, startOf, WINDOWS } from './limits.sql.js';

/**
 * The thresholds of a limit. An event is written at `percent` percent of the limit. `rest` is SQL for the part of the
 * limit above this share.
 */
export const THRESHOLDS = [
  { percent: 50, rest: 'p_limit / 2' },
  { percent: 80, rest: 'p_limit / 5' },
  { percent: 95, rest: 'p_limit / 20' },
  { percent: 100, rest: '0' },
] as const;

const AMOUNTS = THRESHOLDS.map(
  ({ percent, rest }) => `(${percent}, k.limit_nano - ${rest.replace('p_limit', 'k.limit_nano')})`,
);

/**
 * The number of thresholds of a limit that a spend has reached; null = no limit. A threshold is computed by subtracting
 * the rest from the limit, which cannot overflow.
 */
const LIMIT_LEVEL = `create or replace function ledger_limit_level(p_used bigint, p_limit bigint)
returns int language sql immutable as $$
  select case when p_limit is null then null
    ${THRESHOLDS.map(({ rest }, at) => ({ rest, level: at + 1 }))
      .toReversed()
      .map(({ rest, level }) => `when p_used >= p_limit - ${rest} then ${level}`)
      .join('\n    ')}
    else 0 end
$$`;

/** The first day of the window of the key's limit that contains a time; null = the limit is never reset. */
const WINDOW_START = `create or replace function ledger_window_start(k api_key, p_at timestamptz)
returns date language sql immutable as $$
  select case k.limit_reset
    ${WINDOWS.map(({ period, reset }) => `when '${reset}' then ${startOf(period, 'p_at')}`).join('\n    ')}
  end
$$`;

/**
 * Events for the thresholds that a spend has reached by its last increase, p_added, as rows of `event`. Each event
 * occurs once per window. For a limit without windows, an event can occur again after the limit was changed.
 */
const THRESHOLD_EVENTS = `create or replace function ledger_thresholds(p_account int, k api_key, p_start date,
  p_used bigint, p_added bigint)
returns table (account_no int, type text, data jsonb, once text) language sql stable as $$
  select p_account, 'key.limit.threshold', event_key(k) || jsonb_build_object('threshold', t.percent,
      'limit', event_usd(k.limit_nano), 'limit_reset', k.limit_reset, 'window_start', p_start,
      'usage', event_usd(p_used)),
    concat_ws(' ', k.no, coalesce(k.limit_reset || ' ' || p_start, 'total ' || k.limit_nano), t.percent)
  from (values ${AMOUNTS.join(', ')})
    as t(percent, amount)
  where t.amount > p_used - p_added and t.amount <= p_used
  order by t.percent
$$`;

/** SQL that writes the events of `rows`, which have a spend (`used`), its last increase (`added`), and its window. */
export const intoThresholdEvents = (rows: string): string => `insert into event (account_no, type, data, once)
    select e.* from ${rows}
      cross join lateral ledger_thresholds(w.account_no, k, w.start, w.used, w.added) e
    where w.used >= k.limit_nano - k.limit_nano / 2
      and ledger_limit_level(w.used, k.limit_nano) > ledger_limit_level(w.used - w.added, k.limit_nano)
    on conflict do nothing`;

/** Writes events for the thresholds that closed calls have reached, if no window ends. */
export const NOTE_THRESHOLDS = `noted as (
    ${intoThresholdEvents(`key_moved b
      join api_key k on k.no = b.key_no and k.no = any(key_nos) and k.limit_nano is not null
      cross join lateral (select b.account_no, ${ofLimitWindow((period) => `b.${period}_start`, 'null')} as start,
        ${countedInWindow()} as used,
        b.cost + case when k.include_byok_in_limit then b.byok else 0 end as added) w`)}
  )`;

/** SQL that writes `credits.low` for rows `b` of account_balance. */
export const INTO_LOW_EVENTS = `insert into event (account_no, type, data)
      select b.account_no, 'credits.low', jsonb_build_object('remaining', event_usd(b.granted - b.spent),
        'threshold', event_usd(b.low_at), 'total_credits', event_usd(b.granted), 'total_usage', event_usd(b.spent))`;

/** SQL: whether an amount has just made the credits of a balance fall below its threshold. */
export const fellLow = (amount: string): string =>
  `b.granted - b.spent < b.low_at and b.granted - b.spent + ${amount} >= b.low_at`;

/** SQL for the total that a key ever spent, whether it counts towards the key's limit or not. */
const EVER_SPENT = 'b.usage + b.delegated + b.byok_usage + b.byok_delegated';

/** SQL: whether the key may have reached a threshold. False for nearly every call. Reads only the balance `b`. */
export const MAY_HAVE_REACHED = `${EVER_SPENT} >= b.alert_at`;

/**
 * Writes the events of the thresholds that a call of the current windows has reached. Stores in `alert_at` the total
 * spend below which no further threshold can be reached. The total spend is stored because it grows at least as fast as
 * the spend that counts towards the limit, and does not fall when a window ends. After a window has ended, the spend
 * must grow by at least the amount of the first threshold to reach a threshold. The stored distance is at most that
 * amount, so the stored value also holds for the next window. A change of the limit sets `alert_at` to 0.
 */
const CHECK_THRESHOLDS = `create or replace function ledger_check_thresholds(p_account int, p_key int, p_at timestamptz,
  p_cost bigint, p_byok bigint) returns void language plpgsql ${PLANS} as $$
declare
  k api_key; v_used bigint; v_added bigint; v_next bigint;
begin
  select * into k from api_key where no = p_key;
  if k.limit_nano is not null then
    select ${countedInWindow()} into v_used from key_balance b where b.account_no = p_account and b.key_no = p_key;
    v_added := p_cost + case when k.include_byok_in_limit then p_byok else 0 end;
    insert into event (account_no, type, data, once)
      select e.* from ledger_thresholds(p_account, k, ledger_window_start(k, p_at), v_used, v_added) e
      on conflict do nothing;
    select least(min(t.amount) filter (where t.amount > v_used) - v_used, min(t.amount)) into v_next
      from (values ${AMOUNTS.join(', ')}) as t(percent, amount);
  end if;
  update key_balance b
    set alert_at = case when v_next is null then 9223372036854775807 else ${EVER_SPENT} + greatest(v_next, 1) end
    where b.account_no = p_account and b.key_no = p_key;
end $$`;

/** The first two functions are plain SQL, which PostgreSQL inlines into the statements that call them. */
export const THRESHOLD_FUNCTIONS: SqlFamily = {
  name: 'ledger thresholds',
  version: 3,
  statements: [LIMIT_LEVEL, WINDOW_START, THRESHOLD_EVENTS, CHECK_THRESHOLDS],
};
