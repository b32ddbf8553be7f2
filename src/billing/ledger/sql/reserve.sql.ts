import type { SqlFamily } from '../../../database/sql-family.js';
import { PLANS, startOf } from './limits.sql.js';

/** Writes that calls were refused for lack of money, at most once for a key and an hour. */
const INTO_REFUSAL_EVENTS = `insert into event (account_no, type, data, once)
      select f.account_no, 'budget.refused', event_key(k) || jsonb_build_object('reason', f.reason),
        k.no || ' ' || to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24')
      from unnest(refused_accounts, refused_keys, refusals) as f(account_no, key_no, reason)
        join api_key k on k.no = f.key_no and k.no = any(refused_keys)
      on conflict do nothing`;

/** Adds what a batch takes to the reserved amounts of its accounts and keys. */
const HOLD = `update account_balance b set reserved = b.reserved + t.taken
    from unnest(account_nos, account_taken) as t(no, taken)
    where b.account_no = any(account_nos) and b.account_no = t.no and t.taken <> 0;
  update key_balance b set reserved = b.reserved + t.taken
    from unnest(key_accounts, key_nos, key_taken) as t(account_no, no, taken)
    where b.account_no = t.account_no and b.key_no = any(key_nos) and b.key_no = t.no and t.taken <> 0`;

/** Limits each wait for a lock to p_timeout_ms, if it is not null. With 0, `lock_timeout` would be off, hence + 1. */
export const LOCK_TIMEOUT = `set_config('lock_timeout', (p_timeout_ms + 1)::text, true)`;

/**
 * Rolls back if p_timeout_ms have passed: the service has given the statement up, so nobody would settle or release
 * what it reserves. Several waits may each be shorter than `lock_timeout`. Both times are of the database's clock.
 */
export const RAISE_IF_LATE = `if clock_timestamp() >= statement_timestamp() + p_timeout_ms * interval '1 ms' then
        raise exception 'a reservation took longer than % ms', p_timeout_ms using errcode = 'lock_not_available';
      end if`;

/**
 * Decides a batch item by item in its order, each at its own time. Outcomes: reserved, insufficient_credits, key_limit,
 * key_unknown, key_disabled, key_expired, the same with `parent_` for the key that created the intern whose key it is,
 * and lease_lost (the reservation to be replaced is gone). An item that was sent before is held once. An outcome that
 * names a limit is followed by a space and what the limit still covers, in nano-dollars: "key_limit 1200"; and
 * by "lent" where a service holds idle credits that can be recalled.
 *
 * Item (ledger_reservation_item): r reservation, g generation, a account, k key, p parent key or null, aa, ka and pa
 * the amounts on each, t the time of the call, x the reservation it replaces or null. A lease ends by the clock of the
 * database.
 *
 * A join is planned while its table is empty, often as one that reads the whole table. Therefore each join names the
 * numbers of the batch too ("= any"), and reservations are found one by one (a subquery, lateral with limit).
 *
 * Losing a reservation only aborts its call, so it need not survive a database crash: synchronous_commit is off.
 */
const RESERVE_GENERALLY = `create or replace function ledger_reserve_generally(p_lease_ms int,
  p_items ledger_reservation_item[])
returns table (r uuid, outcome text) language plpgsql ${PLANS} as $$
declare
  account_nos int[]; account_taken bigint[]; key_accounts int[]; key_nos int[]; key_taken bigint[];
  skipped uuid[] := '{}'; repeated boolean; seen uuid[] := '{}';
  refused_accounts int[]; refused_keys int[] := '{}'; refusals text[];
  item record; ai int; ki int; pi int; verdict text; lent text;
begin
  perform set_config('synchronous_commit', 'off', true);
  select array_agg(distinct i.a), count(i.r) > count(distinct i.r) into account_nos, repeated from unnest(p_items) i;
  select array_agg(t.a), array_agg(t.k) into key_accounts, key_nos from (
    select i.a, i.k from unnest(p_items) i
    union select i.a, i.p from unnest(p_items) i where i.p is not null) t;
  perform ledger_lock(account_nos, key_accounts, key_nos);
  account_taken := array_fill(0::bigint, array[cardinality(account_nos)]);
  key_taken := array_fill(0::bigint, array[cardinality(key_nos)]);
  for item in
    select i.*, account.granted - account.spent - account.reserved as account_free,
      own_balance.key_no, parent_balance.key_no as parent_no,
      ledger_key_fault(own, i.t) as key_fault, ledger_limit_free(own, own_balance, i.t) as key_free,
      ledger_key_fault(parent, i.t) as parent_fault, ledger_limit_free(parent, parent_balance, i.t) as parent_free,
      (select v.state from reservation v where v.account_no = i.a and v.id = i.r) as earlier_state,
      replaced.id as replaced_id,
      coalesce(replaced.account_amount, 0) as old_aa, coalesce(replaced.key_amount, 0) as old_ka,
      coalesce(replaced.parent_amount, 0) as old_pa
    from unnest(p_items) with ordinality as i(r, g, a, k, p, aa, ka, pa, t, x, place)
      left join account_balance account on account.account_no = i.a and account.account_no = any(account_nos)
      left join api_key own on own.no = i.k and own.no = any(key_nos)
      left join key_balance own_balance on own_balance.account_no = i.a
        and own_balance.key_no = i.k and own_balance.key_no = any(key_nos)
      left join api_key parent on parent.no = i.p and parent.no = any(key_nos)
      left join key_balance parent_balance on parent_balance.account_no = i.a
        and parent_balance.key_no = i.p and parent_balance.key_no = any(key_nos)
      left join lateral (
        select * from reservation v where v.account_no = i.a and v.id = i.x and v.state = 'reserved' limit 1
      ) replaced on true
    order by i.place
  loop
    ai := array_position(account_nos, item.a);
    ki := array_position(key_nos, item.k);
    pi := array_position(key_nos, item.p);
    verdict := case
      when item.account_free is null or item.key_no is null or item.key_fault = 'unknown' then 'key_unknown'
      when item.key_fault is not null then 'key_' || item.key_fault
      when item.p is not null and (item.parent_no is null or item.parent_fault = 'unknown') then 'parent_unknown'
      when item.parent_fault is not null then 'parent_' || item.parent_fault
      when item.earlier_state = 'reserved' then 'known'
      when item.earlier_state is not null then 'lease_lost'
      when repeated and item.r = any(seen) then 'known'
      when item.x is not null and item.replaced_id is null then 'lease_lost'
      when item.aa > 0 and item.aa > item.account_free - account_taken[ai] + item.old_aa then 'insufficient_credits'
      when item.ka > 0 and item.ka > item.key_free - key_taken[ki] + item.old_ka then 'key_limit'
      when item.pa > 0 and item.pa > item.parent_free - key_taken[pi] + item.old_pa then 'parent_limit'
      else 'reserved' end;
    if verdict = 'reserved' then
      if item.x is not null then
        update reservation v set state = 'released' where v.account_no = item.a and v.id = item.x;
      end if;
      account_taken[ai] := account_taken[ai] + item.aa - item.old_aa;
      key_taken[ki] := key_taken[ki] + item.ka - item.old_ka;
      if pi is not null then
        key_taken[pi] := key_taken[pi] + item.pa - item.old_pa;
      end if;
      if repeated then
        seen := seen || item.r;
      end if;
    elsif verdict <> 'known' or item.earlier_state is not null then
      skipped := skipped || item.r;
    end if;
    lent := case verdict
      when 'insufficient_credits' then ledger_lent(item.a, null)
      when 'key_limit' then ledger_lent(item.a, item.k)
      when 'parent_limit' then ledger_lent(item.a, item.p)
      else '' end;
    if verdict in ('insufficient_credits', 'key_limit', 'parent_limit') and lent = ''
      and item.k <> all(refused_keys) then
      refused_accounts := refused_accounts || item.a;
      refused_keys := refused_keys || case verdict when 'parent_limit' then item.p else item.k end;
      refusals := refusals || verdict;
    end if;
    r := item.r;
    outcome := case verdict
      when 'reserved' then verdict
      when 'known' then 'reserved'
      when 'insufficient_credits' then
        verdict || ' ' || greatest(item.account_free - account_taken[ai] + item.old_aa, 0) || lent
      when 'key_limit' then verdict || ' ' || greatest(item.key_free - key_taken[ki] + item.old_ka, 0) || lent
      when 'parent_limit' then verdict || ' ' || greatest(item.parent_free - key_taken[pi] + item.old_pa, 0) || lent
      else verdict end;
    return next;
  end loop;
  insert into reservation (id, generation_id, account_no, key_no, parent_no,
      account_amount, key_amount, parent_amount, created_at, deadline, state)
    select i.r, i.g, i.a, i.k, i.p, i.aa, i.ka, i.pa, i.t, clock_timestamp() + p_lease_ms * interval '1 ms', 'reserved'
    from unnest(p_items) i
    where i.r <> all(skipped) on conflict (account_no, id) do nothing;
  ${HOLD};
  if refused_keys <> '{}' then
    ${INTO_REFUSAL_EVENTS};
  end if;
end $$`;

/**
 * Fast path for a batch of new reservations of one day without parent keys, all of which fit: where their sum fits,
 * each of them fits, in every order. Otherwise nothing is changed and ledger_reserve_generally decides each item.
 * p_timeout_ms: the time from the start of the statement after which it must not commit; null = no limit.
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
  return query select * from ledger_reserve_generally(p_lease_ms, p_items);
  ${RAISE_IF_LATE};
end $$`;

/**
 * Fast path for one new reservation without a parent key: three statements on rows found by their primary keys. In any
 * unusual case it is rolled back and ledger_reserve_batch is used. It locks the account first, as every ledger function
 * does.
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
  version: 10,
  statements: [RESERVE_GENERALLY, RESERVE, RESERVE_ONE],
};
