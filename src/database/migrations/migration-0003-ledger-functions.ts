import { Migration } from '@mikro-orm/migrations';

/**
 * The ledger's three moves, each one round trip for a whole batch. They lock in one order everywhere:
 * accounts by number, keys by number, then reservations; so batches of any replicas cannot deadlock.
 */
export class Migration0003LedgerFunctions extends Migration {
  override up(): void {
    this.addSql(LOCK_BALANCES);
    this.addSql(RESERVE);
    this.addSql(FINISH);
    this.addSql(SWEEP);
  }
}

const LOCK_BALANCES = `create function ledger_lock(p_accounts int[], p_keys int[]) returns void language plpgsql as $$
begin
  perform 1 from account_balance where account_no = any(p_accounts) order by account_no for update;
  perform 1 from key_balance where key_no = any(p_keys) order by key_no for update;
end $$`;

/**
 * Decides a batch item by item in its order. Outcomes: reserved, insufficient_credits, key_limit, key_disabled,
 * key_expired, key_unknown, lease_lost (the reservation to be replaced is gone).
 * Item: r reservation, g generation, a account, k key, aa and ka the amounts on each, d deadline, t creation (absent: now),
 * x the reservation it replaces.
 */
const RESERVE = `create function ledger_reserve(p_now timestamptz, p_items json)
returns table (r uuid, outcome text) language plpgsql as $$
declare
  account_nos int[]; account_free bigint[]; account_taken bigint[];
  key_nos int[]; key_free bigint[]; key_taken bigint[]; key_state text[];
  item record; old_aa bigint; old_ka bigint; ai int; ki int; verdict text;
  v_day date := (p_now at time zone 'UTC')::date;
  v_week date := date_trunc('week', p_now at time zone 'UTC')::date;
  v_month date := date_trunc('month', p_now at time zone 'UTC')::date;
begin
  -- A lost reservation only means that its call is cut: it need not survive a crash of the database.
  set local synchronous_commit = off;
  select array_agg(distinct i.a), array_agg(distinct i.k) into account_nos, key_nos
    from json_to_recordset(p_items) as i(a int, k int);
  perform ledger_lock(account_nos, key_nos);
  select array_agg(b.account_no), array_agg(b.granted - b.spent - b.reserved), array_agg(0::bigint)
    into account_nos, account_free, account_taken
    from account_balance b where b.account_no = any(account_nos);
  select array_agg(b.key_no), array_agg(0::bigint),
      array_agg(k.limit_nano - b.reserved - case k.limit_reset
        when 'daily' then case when b.day_start = v_day then b.usage_day + case when k.include_byok_in_limit then b.byok_usage_day else 0 end else 0 end
        when 'weekly' then case when b.week_start = v_week then b.usage_week + case when k.include_byok_in_limit then b.byok_usage_week else 0 end else 0 end
        when 'monthly' then case when b.month_start = v_month then b.usage_month + case when k.include_byok_in_limit then b.byok_usage_month else 0 end else 0 end
        else b.usage + case when k.include_byok_in_limit then b.byok_usage else 0 end end),
      array_agg(case when k.deleted_at is not null then 'key_unknown' when k.disabled then 'key_disabled'
        when k.expires_at <= p_now then 'key_expired' end)
    into key_nos, key_taken, key_free, key_state
    from key_balance b join api_key k on k.no = b.key_no where b.key_no = any(key_nos);
  for item in select * from json_to_recordset(p_items) as i(r uuid, g uuid, a int, k int, aa bigint, ka bigint, d timestamptz, t timestamptz, x uuid) loop
    ai := array_position(account_nos, item.a);
    ki := array_position(key_nos, item.k);
    old_aa := null; old_ka := null;
    if item.x is not null then
      select v.account_amount, v.key_amount into old_aa, old_ka from reservation v where v.id = item.x and v.state = 'reserved' for update;
    end if;
    verdict := case
      when ai is null or ki is null then 'key_unknown'
      when key_state[ki] is not null then key_state[ki]
      when item.x is not null and old_aa is null then 'lease_lost'
      when item.aa > 0 and item.aa > account_free[ai] + coalesce(old_aa, 0) then 'insufficient_credits'
      when item.ka > 0 and item.ka > key_free[ki] + coalesce(old_ka, 0) then 'key_limit'
      else 'reserved' end;
    if verdict = 'reserved' then
      if item.x is not null then
        update reservation v set state = 'released' where v.id = item.x;
      end if;
      insert into reservation (id, generation_id, account_no, key_no, account_amount, key_amount, created_at, deadline, state)
        values (item.r, item.g, item.a, item.k, item.aa, item.ka, coalesce(item.t, p_now), item.d, 'reserved');
      account_free[ai] := account_free[ai] - item.aa + coalesce(old_aa, 0);
      account_taken[ai] := account_taken[ai] + item.aa - coalesce(old_aa, 0);
      key_free[ki] := key_free[ki] - item.ka + coalesce(old_ka, 0);
      key_taken[ki] := key_taken[ki] + item.ka - coalesce(old_ka, 0);
    end if;
    r := item.r; outcome := verdict;
    return next;
  end loop;
  update account_balance b set reserved = b.reserved + t.taken
    from unnest(account_nos, account_taken) as t(no, taken) where b.account_no = t.no and t.taken <> 0;
  update key_balance b set reserved = b.reserved + t.taken, last_used_at = greatest(b.last_used_at, p_now)
    from unnest(key_nos, key_taken) as t(no, taken) where b.key_no = t.no;
end $$`;

/**
 * Closes a batch of reservations, each settled at its true price or released, with its usage record.
 * Outcomes: done, or lost where the reservation is no longer open in the way asked for (swept, or gone in a crash).
 * Repeating a finish that succeeded answers done and changes nothing.
 * Item: r reservation, s settle?, c platform cost, b cost on own credentials, a account, k key, g the generation row or null.
 */
const FINISH = `create function ledger_finish(p_items json)
returns table (r uuid, outcome text) language plpgsql as $$
begin
  if current_setting('synchronous_commit') = 'off' then
    set local synchronous_commit = on;
  end if;
  perform ledger_lock(
    (select array_agg(distinct i.a) from json_to_recordset(p_items) as i(a int)),
    (select array_agg(distinct i.k) from json_to_recordset(p_items) as i(k int)));
  return query
  with item as (
    select * from json_to_recordset(p_items) as i(r uuid, s boolean, c bigint, b bigint, g json)
  ), closed as (
    update reservation v set state = case when i.s then 'settled' else 'released' end
    from item i where v.id = i.r and v.state = 'reserved'
    returning v.id, v.account_no, v.key_no, v.account_amount, v.key_amount, v.generation_id, v.created_at,
      case when i.s then i.c else 0 end as cost, case when i.s then i.b else 0 end as byok,
      (v.created_at at time zone 'UTC')::date as day,
      date_trunc('week', v.created_at at time zone 'UTC')::date as week,
      date_trunc('month', v.created_at at time zone 'UTC')::date as month, i.g
  ), latest as (
    select c.*, max(c.day) over w as last_day, max(c.week) over w as last_week, max(c.month) over w as last_month
    from closed c window w as (partition by c.key_no)
  ), per_key as (
    select l.key_no, sum(l.key_amount)::bigint as freed, sum(l.cost)::bigint as cost, sum(l.byok)::bigint as byok,
      max(l.last_day) as day, max(l.last_week) as week, max(l.last_month) as month,
      coalesce(sum(l.cost) filter (where l.day = l.last_day), 0)::bigint as cost_day, coalesce(sum(l.byok) filter (where l.day = l.last_day), 0)::bigint as byok_day,
      coalesce(sum(l.cost) filter (where l.week = l.last_week), 0)::bigint as cost_week, coalesce(sum(l.byok) filter (where l.week = l.last_week), 0)::bigint as byok_week,
      coalesce(sum(l.cost) filter (where l.month = l.last_month), 0)::bigint as cost_month, coalesce(sum(l.byok) filter (where l.month = l.last_month), 0)::bigint as byok_month
    from latest l group by l.key_no
  ), account_moved as (
    update account_balance b set reserved = b.reserved - t.freed, spent = b.spent + t.cost
    from (select c.account_no, sum(c.account_amount)::bigint as freed, sum(c.cost)::bigint as cost from closed c group by 1) t
    where b.account_no = t.account_no
  ), key_moved as (
    update key_balance b set
      reserved = b.reserved - t.freed, usage = b.usage + t.cost, byok_usage = b.byok_usage + t.byok,
      usage_day = case when b.day_start > t.day then b.usage_day when b.day_start = t.day then b.usage_day + t.cost_day else t.cost_day end,
      byok_usage_day = case when b.day_start > t.day then b.byok_usage_day when b.day_start = t.day then b.byok_usage_day + t.byok_day else t.byok_day end,
      usage_week = case when b.week_start > t.week then b.usage_week when b.week_start = t.week then b.usage_week + t.cost_week else t.cost_week end,
      byok_usage_week = case when b.week_start > t.week then b.byok_usage_week when b.week_start = t.week then b.byok_usage_week + t.byok_week else t.byok_week end,
      usage_month = case when b.month_start > t.month then b.usage_month when b.month_start = t.month then b.usage_month + t.cost_month else t.cost_month end,
      byok_usage_month = case when b.month_start > t.month then b.byok_usage_month when b.month_start = t.month then b.byok_usage_month + t.byok_month else t.byok_month end,
      day_start = greatest(b.day_start, t.day), week_start = greatest(b.week_start, t.week), month_start = greatest(b.month_start, t.month)
    from per_key t where b.key_no = t.key_no
  ), recorded as (
    insert into generation (id, created_at, cost, upstream_cost, account_no, workspace_no, key_no, model, provider, external_user, app, origin,
      finish_reason, tokens_prompt, tokens_completion, tokens_reasoning, tokens_cached, characters, latency_ms, duration_ms, status, images,
      modality, is_byok, streamed, synthetic)
    select c.generation_id, c.created_at, c.cost, g.upstream_cost, c.account_no, g.workspace_no, c.key_no, g.model, g.provider, g.external_user, g.app, g.origin,
      g.finish_reason, g.tokens_prompt, g.tokens_completion, g.tokens_reasoning, g.tokens_cached, g.characters, g.latency_ms, g.duration_ms, g.status, g.images,
      g.modality, g.is_byok, g.streamed, false
    from closed c cross join lateral json_to_record(c.g) as g(upstream_cost bigint, workspace_no int, model int, provider int, external_user int, app int,
      origin int, finish_reason int, tokens_prompt int, tokens_completion int, tokens_reasoning int, tokens_cached int, characters int,
      latency_ms int, duration_ms int, status smallint, images smallint, modality smallint, is_byok boolean, streamed boolean)
    where c.g is not null
  ), announced as (
    insert into outbox (generation_id, created_at) select c.generation_id, c.created_at from closed c where c.g is not null
  ), entered as (
    insert into ledger_entry (account_no, key_no, kind, amount, generation_id, created_at)
    select c.account_no, c.key_no, 'generation', -c.cost, c.generation_id, c.created_at from closed c where c.cost <> 0
  )
  select i.r, case when c.id is not null then 'done' when v.state = case when i.s then 'settled' else 'released' end then 'done' else 'lost' end
  from item i left join closed c on c.id = i.r left join reservation v on v.id = i.r;
end $$`;

/** Releases reservations whose lease ran out, at most p_limit, and counts them as calls of unknown outcome. */
const SWEEP = `create function ledger_sweep(p_now timestamptz, p_limit int) returns int language plpgsql as $$
declare
  ids uuid[]; swept int;
begin
  select array_agg(o.id) into ids from (
    select v.id from reservation v where v.state = 'reserved' and v.deadline < p_now order by v.deadline limit p_limit) o;
  if ids is null then return 0; end if;
  perform ledger_lock(
    (select array_agg(distinct v.account_no) from reservation v where v.id = any(ids)),
    (select array_agg(distinct v.key_no) from reservation v where v.id = any(ids)));
  with closed as (
    update reservation v set state = 'released'
    where v.id = any(ids) and v.state = 'reserved' and v.deadline < p_now
    returning v.account_no, v.key_no, v.account_amount, v.key_amount
  ), accounts as (
    update account_balance b set reserved = b.reserved - t.freed, unknown_outcomes = b.unknown_outcomes + t.calls
    from (select c.account_no, sum(c.account_amount)::bigint as freed, count(*) as calls from closed c group by 1) t
    where b.account_no = t.account_no
  ), keys as (
    update key_balance b set reserved = b.reserved - t.freed
    from (select c.key_no, sum(c.key_amount)::bigint as freed from closed c group by 1) t where b.key_no = t.key_no
  )
  select count(*) into swept from closed;
  return swept;
end $$`;
