import type { SqlFamily } from '../../../database/sql-family.js';
import { BUDGETS_OF, COSTS_OF_ITEM, HELD, useOf } from './budgets.sql.js';
import { CLOSED, DURABLE, KEY_MOVED, OUTCOMES, READ_ITEMS, RECORD_CLOSED, WRITE_DETAILS } from './closed-calls.sql.js';
import { FINISH_ONE } from './finish-one.sql.js';
import {
  COUNTED_BEFORE,
  countedInWindow,
  ofLimitWindow,
  PLANS,
  SPENDS,
  startBefore,
  startOf,
  WINDOWS,
} from './limits.sql.js';
import { intoThresholdEvents, NOTE_THRESHOLDS } from './thresholds.sql.js';

/** Generates SQL for each window of each spend. */
const eachWindow = (write: (spend: string, period: string) => string): string =>
  SPENDS.flatMap((spend) => WINDOWS.map(({ period }) => write(spend, period))).join(',\n      ');
const eachPeriod = (write: (period: string) => string): string =>
  WINDOWS.map(({ period }) => write(period)).join(',\n      ');
const each = (write: (spend: string) => string): string => SPENDS.map(write).join(',\n      ');

/** SQL for the amount added to a window: to the current one, or to the previous one if `suffix` is `_before`. */
const sum = (spend: string, period: string, suffix: string): string =>
  `coalesce(sum(m.${spend}) filter (where m.${period} = w.${period}${suffix}), 0)::bigint
        as ${spend}_${period}${suffix}`;
const SUMS = eachWindow((spend, period) => `${sum(spend, period, '')},\n      ${sum(spend, period, '_before')}`);
/** The spend in the current window: the balance's value, or 0 if its window has ended, plus the added amount. */
const PRESENT = eachWindow(
  (spend, period) => `${spend}_${period} = t.${spend}_${period}
        + case when b.${period}_start = t.${period} then b.${spend}_${period} else 0 end`,
);
/** When a window ends, the current spend becomes the spend of the previous window. */
const BEFORE = eachWindow(
  (spend, period) => `${spend}_prev_${period} = t.${spend}_${period}_before
        + case when b.${period}_start = t.${period} then b.${spend}_prev_${period}
          when b.${period}_start = t.${period}_before then b.${spend}_${period} else 0 end`,
);

/** Writes events for the thresholds that a batch has reached in the current and in the previous window. */
const NOTE_THRESHOLDS_GENERALLY = `noted as (
    ${intoThresholdEvents(`key_moved b
      join per_key t on t.account_no = b.account_no and t.key_no = b.key_no
      join api_key k on k.no = b.key_no and k.no = any(key_nos) and k.limit_nano is not null
      cross join lateral (values
        (t.account_no, ${ofLimitWindow((period) => `t.${period}`, 'null')},
          ${countedInWindow()}, ${countedInWindow('t')}),
        (t.account_no, ${ofLimitWindow((period) => `t.${period}_before`, 'null')},
          ${COUNTED_BEFORE}, ${countedInWindow('t', '_before')})) w(account_no, start, used, added)`)}
  )`;

const [cost, byok] = COSTS_OF_ITEM;
/**
 * Settles the amounts that the open reservations of a batch hold on their budgets. For a credit lease, this includes
 * the spend of calls that was not posted to the budgets yet.
 */
const SETTLE_BUDGETS_OF_ITEMS = `perform ledger_settle_budgets(s.uses) from (
    select array_agg(${useOf(`v.unposted_spent + ${cost}`, byok, 'v.created_at', HELD)}) as uses
    from (select distinct on (i.r) i.* from unnest(p_items) i) i
      cross join lateral (
        select * from reservation v where v.account_no = i.a and v.id = i.r and v.state = 'reserved' limit 1) v
      cross join lateral ${BUDGETS_OF}) s
    where s.uses is not null`;

/**
 * Closes a batch of reservations durably. Each reservation is settled at its true price or released, and its usage
 * record is written. A call counts in the windows in which it was reserved, even if such a window has ended since.
 * Outcomes: done, or lost if the reservation was closed in another way (by the sweeper) or does not exist (after a
 * crash). Repeating a finish that succeeded returns done and changes nothing.
 *
 * Item (ledger_finish_item): r reservation, a account, k key, s whether to settle, c platform cost, b cost on own
 * credentials. p_usages has the usage record of each item or null, p_details its detail or null; p_details is null if
 * no item has one. p_tags has the tags of the calls of the batch (detailOf).
 */
const FINISH_GENERALLY = `create or replace function ledger_finish_generally(p_items ledger_finish_item[],
  p_usages ledger_usage[], p_details ledger_detail[], p_tags jsonb default null)
returns table (r uuid, outcome text) language plpgsql ${PLANS} as $$
declare
  ids uuid[]; released_ids uuid[]; account_nos int[]; key_accounts int[]; key_nos int[];
begin
  ${DURABLE};
  ${READ_ITEMS};
  -- The parents of keys are locked with them, in the one order of key numbers.
  select array_agg(n.account_no), array_agg(n.no) into key_accounts, key_nos from (
    select i.a, i.k from unnest(p_items) i
    union select i.a, v.parent_no from unnest(p_items) i
      cross join lateral (select * from reservation v where v.account_no = i.a and v.id = i.r limit 1) v
    where v.parent_no is not null) n(account_no, no);
  perform ledger_lock(account_nos, key_accounts, key_nos);
  ${SETTLE_BUDGETS_OF_ITEMS};
  ${WRITE_DETAILS};
  return query
  with ${CLOSED}, key_move as (
    select c.account_no, c.key_no, c.created_at, c.key_amount as freed,
      c.cost as usage, c.byok as byok_usage, 0::bigint as delegated, 0::bigint as byok_delegated
    from closed c
    union all
    select c.account_no, c.parent_no, c.created_at, c.parent_amount, 0, 0, c.cost, c.byok
    from closed c where c.parent_no is not null
  ), dated as (
    select m.*,
      ${eachPeriod((period) => `${startOf(period, 'm.created_at')} as ${period}`)}
    from key_move m
  ), newest as (
    select b.account_no, b.key_no,
      ${eachPeriod((period) => `greatest(b.${period}_start, max(m.${period})) as ${period}`)}
    from dated m join key_balance b on b.account_no = m.account_no
      and b.key_no = m.key_no and b.key_no = any(key_nos)
    group by b.account_no, b.key_no
  ), windows as (
    select n.*,
      ${eachPeriod((period) => `${startBefore(period, `n.${period}`)} as ${period}_before`)}
    from newest n
  ), per_key as (
    select w.*, sum(m.freed)::bigint as freed,
      ${each((spend) => `sum(m.${spend})::bigint as ${spend}`)},
      ${SUMS}
    from dated m join windows w on w.account_no = m.account_no and w.key_no = m.key_no
    group by w.account_no, w.key_no, w.day, w.week, w.month, w.day_before, w.week_before, w.month_before
  ), key_moved as (
    update key_balance b set
      reserved = b.reserved - t.freed,
      ${each((spend) => `${spend} = b.${spend} + t.${spend}`)},
      ${PRESENT},
      ${BEFORE},
      ${eachPeriod((period) => `${period}_start = t.${period}`)}
    from per_key t
    where b.account_no = t.account_no and b.key_no = any(key_nos) and b.key_no = t.key_no
    returning b.*
  ), ${NOTE_THRESHOLDS_GENERALLY}, ${RECORD_CLOSED}
  ${OUTCOMES};
end $$`;

/**
 * Fast path for a batch in which no window ends. Its calls have no parent keys and no budgets, and were all reserved on
 * the current day of the balances of their keys. Other batches are passed to ledger_finish_generally.
 */
const FINISH = `create or replace function ledger_finish(p_items ledger_finish_item[], p_usages ledger_usage[],
  p_details ledger_detail[], p_tags jsonb default null)
returns table (r uuid, outcome text) language plpgsql ${PLANS} as $$
declare
  ids uuid[]; released_ids uuid[]; account_nos int[]; key_accounts int[]; key_nos int[];
  first_day date; last_day date; is_plain boolean;
begin
  ${READ_ITEMS};
  perform ledger_lock(account_nos, key_accounts, key_nos);
  select ${startOf('day', 'min(v.created_at)')}, ${startOf('day', 'max(v.created_at)')},
      bool_and(v.parent_no is null and v.budget_nos is null)
    into first_day, last_day, is_plain
    from unnest(p_items) i
      cross join lateral (select * from reservation v where v.account_no = i.a and v.id = i.r limit 1) v;
  if not is_plain or first_day is distinct from last_day
    or exists (
      select from (select distinct i.a, i.k from unnest(p_items) i) i
        join key_balance b on b.account_no = i.a and b.key_no = i.k and b.key_no = any(key_nos)
      where b.day_start <> first_day) then
    return query select * from ledger_finish_generally(p_items, p_usages, p_details, p_tags);
    return;
  end if;
  ${DURABLE};
  ${WRITE_DETAILS};
  return query
  with ${CLOSED}, ${KEY_MOVED}, ${NOTE_THRESHOLDS}, ${RECORD_CLOSED}
  ${OUTCOMES};
end $$`;

export const FINISH_FUNCTIONS: SqlFamily = {
  name: 'ledger finish',
  version: 13,
  statements: [
    // Drops the signatures of the previous version. Services of that version call the functions without p_tags, which
    // has a default.
    'drop function if exists ledger_finish_generally(ledger_finish_item[], ledger_usage[], ledger_detail[])',
    'drop function if exists ledger_finish(ledger_finish_item[], ledger_usage[], ledger_detail[])',
    'drop function if exists ledger_finish_one(ledger_finish_item, ledger_usage, ledger_detail)',
    FINISH_GENERALLY,
    FINISH,
    FINISH_ONE,
  ],
};
