import type { SqlFamily } from '../../../database/sql-family.js';
import { joinBalance, useOf } from './budgets.sql.js';
import { ACCOUNT_MOVED, DURABLE, KEY_MOVED, RECORD_CLOSED, usageColumnsOf } from './closed-calls.sql.js';
import { detailOf, INTO_DETAIL } from './detail.sql.js';
import { DROPS, FINISH_LEASE, openCalls, takeFromLease } from './finish-lease.sql.js';
import { NEW_ENTRIES_MS, PLANS, startOf } from './limits.sql.js';
import { LOCK_TIMEOUT, RAISE_IF_LATE } from './reserve.sql.js';
import { NOTE_THRESHOLDS } from './thresholds.sql.js';

/** A lease is granted or grown only if the free amount suffices for this many calls of the size of its largest call. */
const MIN_FREE_CALLS = 20;
/** In one change, a lease takes at most 1/SHARE of the free credits and of the rest of the key's limit. */
const SHARE = 20;

/** SQL for the part of `wanted` that a lease may take from the amount `free`, which is null if it is unlimited. */
const partOf = (wanted: string, free: string): string => `case
        when ${wanted} <= 0 or ${free} is null then ${wanted}
        when ${free} < ${MIN_FREE_CALLS} * i.unit then 0
        else least(${wanted}, ${free} / ${SHARE}) end`;

/** SQL for the amounts that a change of a lease frees and spends on each of its budgets. */
const usesOf = (freed: string, spent: string): string => `(
        select array_agg(${useOf(spent, '0', 'i.t', freed)})
        from unnest(v_budgets, v_values, null::bigint[]) as n(no, value, amount))`;

/**
 * Grants, changes and renews credit leases. Outcomes: `lends`; `drains` if no call may begin on the lease, because the
 * key may not be used, a limit is overdrawn, or the service requested it; `lost` if the lease is closed or was not
 * granted. The growth of a lease is durable, because settlements of its calls are durable and are taken from the lease.
 *
 * Item (ledger_lease_item): r lease, a account, k key, t a time in the windows of its limits, da and dk the changes of
 * the amounts on the account and on the key, unit the largest amount of one call, lends whether calls may begin, calls
 * the open calls. A negative change is made in full; a positive one may be made in part, or not at all. p_timeout_ms is
 * as in ledger_reserve_batch, p_open as in ledger_finish_leased. p_budgets and p_counts are the budgets of new leases,
 * as in ledger_reserve_items. On each of its budgets, a lease holds its amount on the account plus the spend of its
 * calls since the last renewal. This function posts that spend to the budgets. Calls may begin until expires_at, when
 * the key expires or a raise of a limit or of a budget ends. The end of a raise must also end the lease, because limits
 * are read as of the first call of the lease.
 */
const LEASE = `create or replace function ledger_lease(p_lease_ms int, p_lends_ms int, p_items ledger_lease_item[],
  p_timeout_ms int, p_open jsonb default null, p_budgets ledger_budget_item[] default null, p_counts int[] default null)
returns table (r uuid, outcome text, account_change bigint, key_change bigint, expires_at timestamptz)
language plpgsql ${PLANS} as $$
declare
  i ledger_lease_item; account account_balance; own api_key; own_balance key_balance; held reservation;
  account_free bigint; key_free bigint; lends boolean; grows boolean := false;
  place int := 0; taken int := 0; v_budgets int[]; v_values text[]; uses ledger_budget_use[];
begin
  perform set_config('synchronous_commit', 'off', true), ${LOCK_TIMEOUT};
  perform ledger_lock((select array_agg(distinct l.a) from unnest(p_items) l),
    (select array_agg(l.a) from unnest(p_items) l), (select array_agg(l.k) from unnest(p_items) l));
  perform ledger_post_journal(a.no, ${NEW_ENTRIES_MS})
    from (select distinct l.a from unnest(p_items) l order by 1) a(no);
  foreach i in array p_items loop
    r := i.r;
    select * into account from account_balance b where b.account_no = i.a;
    select * into own from api_key k where k.no = i.k;
    select * into own_balance from key_balance b where b.account_no = i.a and b.key_no = i.k;
    select * into held from reservation v where v.account_no = i.a and v.id = i.r;
    account_free := account.granted - account.spent - account.reserved;
    place := place + 1;
    v_budgets := held.budget_nos;
    v_values := held.budget_values;
    if p_counts is not null then
      if held.id is null and p_counts[place] > 0 then
        select array_agg(b.n), array_agg(b.v) into v_budgets, v_values
          from unnest(p_budgets[taken + 1 : taken + p_counts[place]]) b;
      end if;
      taken := taken + p_counts[place];
    end if;
    if v_budgets is not null then
      uses := ${usesOf('0', '0')};
      perform ledger_lock_budgets(uses);
      if held.state = 'reserved' and held.unposted_freed + held.unposted_spent > 0 then
        perform ledger_settle_budgets(${usesOf('held.unposted_freed', 'held.unposted_spent')});
      end if;
      account_free := least(account_free, (
        select min(ledger_budget_free(def, x, i.t)) from unnest(uses) u join budget def on def.no = u.n
          ${joinBalance('i.t')}
        where not def.is_soft));
    end if;
    key_free := ledger_limit_free(own, own_balance, i.t);
    lends := i.lends and ledger_key_fault(own, i.t) is null and (key_free is null or key_free >= 0)
      and account_free >= 0 and (held.id is null or held.lends_until > '-infinity');
    account_change := case when lends or i.da < 0 then ${partOf('i.da', 'account_free')} else 0 end;
    key_change := case when lends or i.dk < 0 then ${partOf('i.dk', 'key_free')} else 0 end;
    expires_at := least(own.expires_at, case when i.t < own.raise_until then own.raise_until end, (
      select min(def.raise_until) from unnest(v_budgets) n join budget def on def.no = n
      where i.t < def.raise_until));
    if held.id is null then
      lends := lends and account_change >= least(i.da, i.unit) and key_change >= least(i.dk, i.unit);
      if lends then
        insert into reservation (id, generation_id, account_no, key_no, account_amount, key_amount, created_at,
            deadline, state, lends_until, open_calls, open_count, budget_nos, budget_values)
          values (i.r, i.r, i.a, i.k, account_change, key_change, i.t,
            clock_timestamp() + p_lease_ms * interval '1 ms', 'reserved',
            clock_timestamp() + p_lends_ms * interval '1 ms', i.calls, (p_open ->> i.r::text)::int,
            v_budgets, v_values);
      end if;
    elsif held.state = 'reserved' then
      update reservation v set account_amount = v.account_amount + account_change,
          key_amount = v.key_amount + key_change,
          unposted_freed = 0, unposted_spent = 0,
          deadline = clock_timestamp() + p_lease_ms * interval '1 ms',
          lends_until = case when lends then clock_timestamp() + p_lends_ms * interval '1 ms' else '-infinity' end,
          open_calls = i.calls, open_count = ${openCalls('i.r')}
        where v.account_no = i.a and v.id = i.r;
    end if;
    if held.state is distinct from 'reserved' and not (held.id is null and lends) then
      outcome := 'lost';
      account_change := 0;
      key_change := 0;
    else
      outcome := case when lends then 'lends' else 'drains' end;
      update account_balance b set reserved = b.reserved + account_change
        where b.account_no = i.a and account_change <> 0;
      update key_balance b set reserved = b.reserved + key_change
        where b.account_no = i.a and b.key_no = i.k and key_change <> 0;
      if v_budgets is not null and account_change <> 0 then
        perform ledger_settle_budgets(${usesOf('-account_change', '0')});
      end if;
      grows := grows or account_change > 0 or key_change > 0;
    end if;
    return next;
  end loop;
  if grows then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  ${RAISE_IF_LATE};
end $$`;

/**
 * Turns the amounts that an open call holds on a lease into a reservation of its own. Returns false if the lease is
 * closed. Repeating the function returns true and changes nothing. p_open is the number of open calls that stay on the
 * lease.
 */
const UNLEASE = `create or replace function ledger_unlease(p_lease_ms int, p_account int, p_lease uuid, p_id uuid,
  p_account_amount bigint, p_key_amount bigint, p_at timestamptz, p_open int default null)
returns boolean language plpgsql ${PLANS} as $$
declare
  held reservation;
begin
  perform from account_balance b where b.account_no = p_account for update;
  if exists (select from reservation v where v.account_no = p_account and v.id = p_id) then
    return true;
  end if;
  update reservation v set account_amount = v.account_amount - p_account_amount,
      key_amount = v.key_amount - p_key_amount, open_count = coalesce(p_open, v.open_count)
    where v.account_no = p_account and v.id = p_lease and v.state = 'reserved' returning * into held;
  if not found then
    return false;
  end if;
  insert into reservation (id, generation_id, account_no, key_no, account_amount, key_amount, created_at, deadline,
      state, budget_nos, budget_values)
    values (p_id, p_id, held.account_no, held.key_no, p_account_amount, p_key_amount, p_at,
      clock_timestamp() + p_lease_ms * interval '1 ms', 'reserved', held.budget_nos, held.budget_values);
  return true;
end $$`;

/** SQL: whether the call of an item was recorded before. */
const RECORDED = `(select n.id from generation n
  where n.account_no = i.a and n.created_at = i.t and n.id = i.r) is not null`;

/**
 * Closes a batch of calls on leases durably. The cost of each call moves from its lease to the spend, and the rest of
 * the amount that the call held stays in the lease. Outcomes: done, or lost if the lease is closed. An item may be sent
 * again if its outcome is not known (`again`). If the call is already recorded, the outcome is done and nothing
 * changes. This also applies to a first attempt that the server executes after the second.
 *
 * Item (ledger_leased_item): r generation, l lease, a account, k key, t the time of the call, fa and fk the amounts
 * that the lease loses on the account and on the key, s whether to settle, c platform cost, b cost on own credentials.
 * p_usages has the usage record of each item, p_details its detail or null; p_details is null if no item has one.
 * p_open has the number of open calls of each lease, by the lease's id.
 */
const FINISH_LEASED = `create or replace function ledger_finish_leased(p_items ledger_leased_item[],
  p_usages ledger_usage[], p_details ledger_detail[], p_open jsonb default null, p_tags jsonb default null)
returns table (r uuid, outcome text) language plpgsql ${PLANS} as $$
declare
  account_nos int[]; key_accounts int[]; key_nos int[]; lease_ids uuid[]; closing uuid[]; first_day date; last_day date;
begin
  ${DURABLE};
  select array_agg(distinct i.a), array_agg(i.a), array_agg(i.k), array_agg(distinct i.l),
      ${startOf('day', 'min(i.t)')}, ${startOf('day', 'max(i.t)')}
    into account_nos, key_accounts, key_nos, lease_ids, first_day, last_day
    from unnest(p_items) i;
  perform ledger_lock(account_nos, key_accounts, key_nos);
  if exists (select from unnest(p_items) i where i.again) then
    perform ledger_end_journal(account_nos, (select array_agg(i.l) from unnest(p_items) i where i.again));
  end if;
  select array_agg(v.id) into lease_ids from reservation v
    where v.account_no = any(account_nos) and v.id = any(lease_ids) and v.state = 'reserved';
  select array_agg(i.r) into closing from unnest(p_items) i
    where i.l = any(lease_ids) and not ${RECORDED};
  if first_day <> last_day
    or exists (
      select from (select distinct i.a, i.k from unnest(p_items) i) i
        join key_balance b on b.account_no = i.a and b.key_no = i.k and b.key_no = any(key_nos)
      where b.day_start <> first_day) then
    -- A window ends: each call gets a reservation of its own, and ledger_finish_generally rolls the windows.
    update reservation v set account_amount = v.account_amount - t.fa, key_amount = v.key_amount - t.fk,
        open_count = ${openCalls('v.id')}
      from (select i.l, sum(i.fa)::bigint as fa, sum(i.fk)::bigint as fk from unnest(p_items) i
        where i.r = any(closing) group by 1) t
      where v.account_no = any(account_nos) and v.id = any(lease_ids) and v.id = t.l;
    insert into reservation (id, generation_id, account_no, key_no, account_amount, key_amount, created_at, deadline,
        state, budget_nos, budget_values)
      select i.r, i.r, i.a, i.k, i.fa, i.fk, i.t, clock_timestamp(), 'reserved', v.budget_nos, v.budget_values
      from unnest(p_items) i
        cross join lateral (select * from reservation v where v.account_no = i.a and v.id = i.l limit 1) v
      where i.r = any(closing);
    perform ledger_finish_generally(array_agg(row(i.r, i.a, i.k, i.s, i.c, i.b)::ledger_finish_item order by i.n),
        array_agg(u order by i.n), case when p_details is not null then array_agg(d order by i.n) end, p_tags)
      from unnest(p_items) with ordinality as i(r, l, a, k, t, fa, fk, s, c, b, again, n)
        join lateral (select p_usages[i.n] as u, p_details[i.n] as d) e on true
      where i.r = any(closing)
      having count(*) > 0;
    return query select i.r, case when i.r = any(closing) or ${RECORDED} then 'done' else 'lost' end
      from unnest(p_items) i;
    return;
  end if;
  if p_details is not null then
    ${INTO_DETAIL}
      select i.a, i.r, i.t, ${detailOf('i', 'i.r')}
      from rows from (unnest(p_items), unnest(p_details)) as i
      where i.r = any(closing) and i.cancelled is not null;
  end if;
  return query
  with closed as (
    select i.r as id, i.r as generation_id, i.t as created_at, i.l, i.a as account_no, i.k as key_no,
      i.fa as account_amount, i.fk as key_amount, ${usageColumnsOf('i')},
      case when i.s then i.c else 0 end as cost, case when i.s then i.b else 0 end as byok
    from rows from (unnest(p_items), unnest(p_usages)) as i
    where i.r = any(closing)
  ), lowered_leases as (
    update reservation v set ${takeFromLease('t.fa', 't.fk', 't.cost')}
    from (
      select c.l, sum(c.account_amount)::bigint as fa, sum(c.key_amount)::bigint as fk, sum(c.cost)::bigint as cost
      from closed c group by 1) t
    where v.account_no = any(account_nos) and v.id = any(lease_ids) and v.id = t.l
  ), ${ACCOUNT_MOVED}, ${KEY_MOVED}, ${NOTE_THRESHOLDS}, ${RECORD_CLOSED}
  select i.r, case when i.r = any(closing) or ${RECORDED} then 'done' else 'lost' end from unnest(p_items) i;
end $$`;

export const CREDIT_LEASE_FUNCTIONS: SqlFamily = {
  name: 'ledger credit leases',
  version: 12,
  statements: [...DROPS, LEASE, UNLEASE, FINISH_LEASED, FINISH_LEASE],
};
