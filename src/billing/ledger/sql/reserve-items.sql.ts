import { BUDGETS_OF, joinBalance, limitOf, useOf } from './budgets.sql.js';
import { PLANS } from './limits.sql.js';

/** Writes events for calls that credits, a limit or a budget refused, at most one per key and hour. */
const INTO_REFUSAL_EVENTS = `insert into event (account_no, type, data, once)
      select f.account_no, 'budget.refused', event_key(k) || jsonb_build_object('reason', f.reason)
          || case when t.no is null then '{}'
            else event_budget(t, null) - 'name' || jsonb_build_object('budget_name', t.name) end,
        k.no || ' ' || to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24')
      from unnest(refused_accounts, refused_keys, refusals, refused_budgets) as f(account_no, key_no, reason, budget_no)
        join api_key k on k.no = f.key_no and k.no = any(refused_keys)
        left join budget t on t.no = f.budget_no
      on conflict do nothing`;

/** Adds the amounts that a batch takes to the reserved amounts of its accounts and keys. */
export const HOLD = `update account_balance b set reserved = b.reserved + t.taken
    from unnest(account_nos, account_taken) as t(no, taken)
    where b.account_no = any(account_nos) and b.account_no = t.no and t.taken <> 0;
  update key_balance b set reserved = b.reserved + t.taken
    from unnest(key_accounts, key_nos, key_taken) as t(account_no, no, taken)
    where b.account_no = t.account_no and b.key_no = any(key_nos) and b.key_no = t.no and t.taken <> 0`;

/** SQL for the budgets `b` of the items of a batch, each joined with its item `i`. */
const PLACED_BUDGETS = `(
      select e.*, (sum(e.count) over (order by e.place))::int as upto
      from rows from (unnest(p_items), unnest(p_counts)) with ordinality
        as e(r, g, a, k, p, aa, ka, pa, t, x, count, place)) i
      cross join lateral unnest(p_budgets[i.upto - i.count + 1 : i.upto]) b`;

/**
 * Records calls of sessions, including refused calls, in the locked balances of the sessions: the time of the last
 * call, and the lowest limit that a call has set. The limit is never raised.
 */
const NOTE_SESSIONS = `update budget_balance x set limit_nano = least(x.limit_nano, u.l),
          used_at = greatest(x.used_at, (select max(i.t) from unnest(p_items) i))
        from (
          select b.n, b.v, min(b.l) as l from unnest(p_budgets, p_limits) as b(n, v, f, l) group by 1, 2) u
          join budget def on def.no = u.n and def.session_key_no is not null
        where x.account_no = def.account_no and x.budget_no = u.n and x.value = u.v and x.window_start = '-infinity'`;

/** Releases the amounts that a reservation holds on its budgets (p_times 1), or reserves them again (-1). */
export const FREE_BUDGETS = `create or replace function ledger_free_budgets(p_account int, p_id uuid, p_times int)
returns void language plpgsql ${PLANS} as $$
begin
  perform ledger_settle_budgets(array_agg(row(n.no, coalesce(n.value, ''), v.created_at,
      p_times * coalesce(n.amount, v.account_amount), 0, 0)::ledger_budget_use))
    from reservation v cross join lateral ${BUDGETS_OF}
    where v.account_no = p_account and v.id = p_id;
end $$`;

/**
 * Decides the items of a batch in their order, each as of the time of its call. Outcomes: reserved;
 * insufficient_credits; key_limit, key_unknown, key_disabled and key_expired; parent_limit, parent_unknown,
 * parent_disabled and parent_expired, if the parent key refuses; lease_lost (the reservation, or the one that it
 * replaces, was closed); and budget. An item that is sent again is reserved once. An outcome that names a limit is
 * followed by a space and the amount that the limit still covers, in nano-dollars: "key_limit 1200". For a budget, its
 * number and its limit follow. The last word is "lent" if a service holds idle credits that can be recalled.
 *
 * p_budgets has the budgets of all items in their order, p_counts the number of budgets of each item; both null = none.
 * p_limits has for each budget the limit that a call sets for its session, or null; null = no item names a session.
 *
 * Item (ledger_reservation_item): r reservation, g generation, a account, k key, p parent key or null, aa, ka and pa
 * the amounts on the account, the key and the parent key, t the time of the call, x the reservation it replaces or
 * null. The clock of the database determines when a lease ends.
 *
 * A join is planned while its table is empty, and such a plan often reads the whole table. Therefore each join also
 * names the numbers of the batch ("= any"), and reservations are found one by one (a subquery, lateral with limit).
 *
 * The loss of a reservation only aborts its call. Reservations need not survive a crash of the database, so
 * synchronous_commit is off.
 */
export const RESERVE_ITEMS = `create or replace function ledger_reserve_items(p_lease_ms int,
  p_items ledger_reservation_item[], p_budgets ledger_budget_item[] default null, p_counts int[] default null,
  p_limits bigint[] default null)
returns table (r uuid, outcome text) language plpgsql ${PLANS} as $$
declare
  account_nos int[]; account_taken bigint[]; key_accounts int[]; key_nos int[]; key_taken bigint[];
  skipped uuid[] := '{}'; repeated boolean; replaces boolean; seen uuid[] := '{}';
  refused_accounts int[]; refused_keys int[] := '{}'; refusals text[]; refused_budgets int[];
  item record; ai int; ki int; pi int; verdict text; lent text;
  uses ledger_budget_use[]; own_budgets ledger_budget_item[]; full_no int; full_free bigint; full_limit bigint;
begin
  perform set_config('synchronous_commit', 'off', true);
  select array_agg(distinct i.a), count(i.r) > count(distinct i.r), bool_or(i.x is not null)
    into account_nos, repeated, replaces from unnest(p_items) i;
  select array_agg(t.a), array_agg(t.k) into key_accounts, key_nos from (
    select i.a, i.k from unnest(p_items) i
    union select i.a, i.p from unnest(p_items) i where i.p is not null) t;
  perform ledger_lock(account_nos, key_accounts, key_nos);
  if p_counts is not null or replaces then
    select array_agg(m.use) into uses from (
      select row(b.n, b.v, i.t, 0, 0, 0)::ledger_budget_use as use from ${PLACED_BUDGETS}
      union all select ${useOf('0', '0')} from unnest(p_items) i
        cross join lateral (select * from reservation v where v.account_no = i.a and v.id = i.x limit 1) v
        cross join lateral ${BUDGETS_OF}) m;
    if uses is not null then
      perform ledger_lock_budgets(uses);
    end if;
    if p_limits is not null then
      ${NOTE_SESSIONS};
    end if;
  end if;
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
      coalesce(replaced.parent_amount, 0) as old_pa,
      replaced.budget_nos as old_budgets, counts.from_budget, counts.to_budget
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
      left join (
        select c.place, (sum(c.count) over (order by c.place) - c.count)::int + 1 as from_budget,
          (sum(c.count) over (order by c.place))::int as to_budget
        from unnest(p_counts) with ordinality as c(count, place)) counts on counts.place = i.place
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
    own_budgets := p_budgets[item.from_budget : item.to_budget];
    if verdict = 'reserved' and item.old_budgets is not null then
      perform ledger_free_budgets(item.a, item.x, 1);
    end if;
    if verdict = 'reserved' and cardinality(own_budgets) > 0 then
      select def.no, greatest(ledger_budget_free(def, x, item.t), 0), ${limitOf('def', 'item.t')}
        into full_no, full_free, full_limit
        from unnest(own_budgets) u join budget def on def.no = u.n
          ${joinBalance('item.t')}
        where not def.is_soft and u.f > 0 and u.f > ledger_budget_free(def, x, item.t)
        order by def.rank, def.no limit 1;
      if found then
        verdict := 'budget';
        if item.old_budgets is not null then
          perform ledger_free_budgets(item.a, item.x, -1);
        end if;
      else
        update budget_balance x set reserved = x.reserved + u.f
          from unnest(own_budgets) u join budget t on t.no = u.n
          where x.account_no = t.account_no and x.budget_no = t.no and x.value = u.v
            and x.window_start = ledger_budget_start(t.reset, item.t) and u.f > 0;
      end if;
    end if;
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
      when 'budget' then ledger_budget_lent(item.a, full_no)
      else '' end;
    if verdict in ('insufficient_credits', 'key_limit', 'parent_limit', 'budget') and lent = ''
      and item.k <> all(refused_keys) then
      refused_accounts := refused_accounts || item.a;
      refused_keys := refused_keys || case verdict when 'parent_limit' then item.p else item.k end;
      refusals := refusals || verdict;
      refused_budgets := refused_budgets || case when verdict = 'budget' then full_no end;
    end if;
    r := item.r;
    outcome := case verdict
      when 'reserved' then verdict
      when 'known' then 'reserved'
      when 'insufficient_credits' then
        verdict || ' ' || greatest(item.account_free - account_taken[ai] + item.old_aa, 0) || lent
      when 'key_limit' then verdict || ' ' || greatest(item.key_free - key_taken[ki] + item.old_ka, 0) || lent
      when 'parent_limit' then verdict || ' ' || greatest(item.parent_free - key_taken[pi] + item.old_pa, 0) || lent
      when 'budget' then concat_ws(' ', verdict, full_free, full_no, full_limit) || lent
      else verdict end;
    return next;
  end loop;
  insert into reservation (id, generation_id, account_no, key_no, parent_no,
      account_amount, key_amount, parent_amount, created_at, deadline, state)
    select i.r, i.g, i.a, i.k, i.p, i.aa, i.ka, i.pa, i.t, clock_timestamp() + p_lease_ms * interval '1 ms', 'reserved'
    from unnest(p_items) i
    where i.r <> all(skipped) on conflict (account_no, id) do nothing;
  if p_counts is not null then
    update reservation v set budget_nos = h.nos, budget_values = h.texts, budget_amounts = h.amounts
      from (
        select i.a, i.r, array_agg(b.n) as nos,
          case when bool_or(b.v <> '') then array_agg(b.v) end as texts,
          case when bool_or(b.f <> i.aa) then array_agg(b.f) end as amounts
        from ${PLACED_BUDGETS}
        where i.r <> all(skipped)
        group by 1, 2) h
      where v.account_no = any(account_nos) and v.account_no = h.a and v.id = h.r and v.budget_nos is null;
  end if;
  ${HOLD};
  if refused_keys <> '{}' then
    ${INTO_REFUSAL_EVENTS};
  end if;
end $$`;
