import type { SqlFamily } from '../../../database/sql-family.js';
import { PLANS, startOf } from './limits.sql.js';
import { FREE_BUDGETS, HOLD, RESERVE_ITEMS } from './reserve-items.sql.js';

/**
 * Limits each wait for a lock to p_timeout_ms if that is not null. Adds 1 ms, because the value 0 would turn
 * `lock_timeout` off.
 */
export const LOCK_TIMEOUT = `set_config('lock_timeout', (p_timeout_ms + 1)::text, true)`;

/**
 * Raises an error, and so rolls back, if p_timeout_ms have passed by the database's clock. The service then no longer
 * waits for the statement, and nothing would settle or release its reservations. `lock_timeout` alone is not enough,
 * because it limits each wait and not their sum.
 */
export const RAISE_IF_LATE = `if clock_timestamp() >= statement_timestamp() + p_timeout_ms * interval '1 ms' then
        raise exception 'a reservation took longer than % ms', p_timeout_ms using errcode = 'lock_not_available';
      end if`;

/**
 * Fast path for a batch of new reservations of one day without parent keys. If their sum fits, each of them fits in any
 * order. Otherwise, ledger_reserve_items decides each item. The statement must not commit later than p_timeout_ms after
 * its start; null = no limit.
 */
const RESERVE = `create or replace function ledger_reserve_batch(p_lease_ms int, p_items ledger_reservation_item[],
  p_timeout_ms int)
returns table (r uuid, outcome text) language plpgsql ${PLANS} as $$
declare
  ids uuid[]; first_at timestamptz; last_at timestamptz; is_usual boolean;
  account_nos int[]; account_taken bigint[]; key_accounts int[]; key_nos int[]; key_taken bigint[];
begin
  perform ${LOCK_TIMEOUT};
  select array_agg(i.r), min(i.t), max(i.t), bool_and(i.p is null and i.x is null) and count(i.r) = count(distinct i.r)
    into ids, first_at, last_at, is_usual
    from unnest(p_items) i;
  if is_usual and ${startOf('day', 'first_at')} = ${startOf('day', 'last_at')} then
    perform set_config('synchronous_commit', 'off', true);
    select array_agg(t.a), array_agg(t.taken) into account_nos, account_taken
      from (select i.a, sum(i.aa)::bigint as taken from unnest(p_items) i group by 1) t;
    select array_agg(t.a), array_agg(t.k), array_agg(t.taken) into key_accounts, key_nos, key_taken
      from (select i.a, i.k, sum(i.ka)::bigint as taken from unnest(p_items) i group by 1, 2) t;
    perform ledger_lock(account_nos, key_accounts, key_nos);
    if not exists (
        select from unnest(p_items) i
          cross join lateral (select from reservation v where v.account_no = i.a and v.id = i.r limit 1) v)
      and not exists (
        select from unnest(account_nos, account_taken) as t(no, taken)
          left join account_balance b on b.account_no = t.no and b.account_no = any(account_nos)
        where b.account_no is null or t.taken > 0 and t.taken > b.granted - b.spent - b.reserved)
      and not exists (
        select from unnest(key_accounts, key_nos, key_taken) as t(account_no, no, taken)
          left join api_key k on k.no = t.no and k.no = any(key_nos)
          left join key_balance b on b.account_no = t.account_no
            and b.key_no = t.no and b.key_no = any(key_nos)
        where k.no is null or b.key_no is null or ledger_key_fault(k, last_at) is not null
          or t.taken > 0 and t.taken > ledger_limit_free(k, b, last_at)) then
      insert into reservation (id, generation_id, account_no, key_no,
          account_amount, key_amount, created_at, deadline, state)
        select i.r, i.g, i.a, i.k, i.aa, i.ka, i.t, clock_timestamp() + p_lease_ms * interval '1 ms', 'reserved'
        from unnest(p_items) i;
      ${HOLD};
      ${RAISE_IF_LATE};
      return query select unnest(ids), 'reserved';
      return;
    end if;
  end if;
  return query select * from ledger_reserve_items(p_lease_ms, p_items);
  ${RAISE_IF_LATE};
end $$`;

/** Reserves a batch in which calls count in budgets (ledger_reserve_items). */
const RESERVE_BUDGETED = `create or replace function ledger_reserve_budgeted(p_lease_ms int,
  p_items ledger_reservation_item[], p_budgets ledger_budget_item[], p_counts int[], p_timeout_ms int,
  p_limits bigint[] default null)
returns table (r uuid, outcome text) language plpgsql as $$
begin
  perform ${LOCK_TIMEOUT};
  return query select * from ledger_reserve_items(p_lease_ms, p_items, p_budgets, p_counts, p_limits);
  ${RAISE_IF_LATE};
end $$`;

/**
 * Fast path for one new reservation without a parent key. Executes three statements, which find rows by their primary
 * keys. In any other case, undoes its changes and calls ledger_reserve_batch. Locks the account first, as every
 * function of the ledger does.
 */
const RESERVE_ONE = `create or replace function ledger_reserve_one(p_lease_ms int, p_id uuid, p_generation uuid,
  p_account int, p_key int, p_account_amount bigint, p_key_amount bigint, p_at timestamptz, p_timeout_ms int)
returns text language plpgsql ${PLANS} as $$
declare
  unused text := set_config('synchronous_commit', 'off', true) || ${LOCK_TIMEOUT};
begin
  update account_balance b set reserved = b.reserved + p_account_amount
    where b.account_no = p_account
      and (p_account_amount = 0 or p_account_amount <= b.granted - b.spent - b.reserved);
  if found then
    update key_balance b set reserved = b.reserved + p_key_amount
      from api_key k
      where b.account_no = p_account and b.key_no = p_key and k.no = p_key and ledger_key_fault(k, p_at) is null
        and (k.limit_nano is null or p_key_amount = 0 or p_key_amount <= ledger_limit_free(k, b, p_at));
    if found then
      insert into reservation (id, generation_id, account_no, key_no,
          account_amount, key_amount, created_at, deadline, state)
        values (p_id, p_generation, p_account, p_key,
          p_account_amount, p_key_amount, p_at, clock_timestamp() + p_lease_ms * interval '1 ms', 'reserved')
        on conflict (account_no, id) do nothing;
      if found then
        ${RAISE_IF_LATE};
        return 'reserved';
      end if;
      update key_balance b set reserved = b.reserved - p_key_amount
        where b.account_no = p_account and b.key_no = p_key;
    end if;
    update account_balance b set reserved = b.reserved - p_account_amount where b.account_no = p_account;
  end if;
  return (select outcome from ledger_reserve_batch(p_lease_ms, array[row(p_id, p_generation, p_account, p_key, null,
    p_account_amount, p_key_amount, 0, p_at, null)::ledger_reservation_item], p_timeout_ms));
end $$`;

export const RESERVE_FUNCTIONS: SqlFamily = {
  name: 'ledger reserve',
  version: 12,
  statements: [
    // Drops the signatures of the previous version. Services of that version call the functions without p_limits, which
    // has a default.
    'drop function if exists ledger_reserve_items(int, ledger_reservation_item[], ledger_budget_item[], int[])',
    `drop function if exists
      ledger_reserve_budgeted(int, ledger_reservation_item[], ledger_budget_item[], int[], int)`,
    FREE_BUDGETS,
    RESERVE_ITEMS,
    RESERVE,
    RESERVE_BUDGETED,
    RESERVE_ONE,
    // The functions of the previous version that call this function are replaced in the same transaction.
    'drop function if exists ledger_reserve_generally(int, ledger_reservation_item[])',
  ],
};
