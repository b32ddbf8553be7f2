import { Migration } from '@mikro-orm/migrations';

/**
 * Makes a batch of the ledger cheap where nothing unusual is in it, which is nearly always. Most of what a small batch cost was
 * making ready to execute: expressions for windows that did not roll, one insert statement for every reservation, one JSON
 * document inside of another. What is unusual still goes the general way: reservations sent again, and windows that roll.
 */
export class Migration0016LedgerQuickWays extends Migration {
  override up(): void {
    this.addSql(`alter function ledger_finish(json) rename to ledger_finish_generally`);
    this
      .addSql(`create type ledger_usage as (upstream_cost bigint, workspace_no int, model int, provider int, external_user int, app int,
      origin int, finish_reason int, tokens_prompt int, tokens_completion int, tokens_reasoning int, tokens_cached int, characters int,
      latency_ms int, duration_ms int, status smallint, images smallint, modality smallint, is_byok boolean, streamed boolean)`);
    this.addSql(RESERVE);
    this.addSql(FINISH);
    for (const name of ['ledger_reserve(timestamptz, json)', 'ledger_finish(json)']) {
      this.addSql(`alter function ${name} set enable_seqscan = off`);
      this.addSql(`alter function ${name} set plan_cache_mode = force_generic_plan`);
    }
  }
}

/**
 * As in migration 0005, but reservations are inserted together once all are decided. Where one of them was sent before, or is
 * twice in the batch, each is inserted when it is decided, so that none is counted twice.
 * Keys are read as they are locked: whoever holds one of them holds its account, which was locked before, so nothing is waited for.
 */
const RESERVE = `create or replace function ledger_reserve(p_now timestamptz, p_items json)
returns table (r uuid, outcome text) language plpgsql as $$
declare
  account_nos int[]; account_free bigint[]; account_taken bigint[];
  key_nos int[]; key_limit bigint[]; key_held bigint[]; key_taken bigint[]; key_state text[]; key_expiry timestamptz[];
  key_period text[]; key_start date[]; key_used bigint[]; key_used_before bigint[];
  item record; old_aa bigint; old_ka bigint; known text; ai int; ki int; verdict text; used bigint; at timestamp; starts date;
  v_ids uuid[]; v_refused uuid[]; v_one_by_one boolean;
begin
  -- A lost reservation only means that its call is cut: it need not survive a crash of the database.
  set local synchronous_commit = off;
  select array_agg(distinct i.a), array_agg(distinct i.k), array_agg(i.r), count(i.r) > count(distinct i.r) into account_nos, key_nos, v_ids, v_one_by_one
    from json_to_recordset(p_items) as i(r uuid, a int, k int);
  select array_agg(b.account_no), array_agg(b.granted - b.spent - b.reserved), array_agg(0::bigint)
    into account_nos, account_free, account_taken
    from (select * from account_balance where account_no = any(account_nos) order by account_no for update) b;
  select array_agg(b.key_no), array_agg(k.limit_nano), array_agg(b.reserved), array_agg(0::bigint), array_agg(k.expires_at),
      array_agg(case when k.deleted_at is not null then 'key_unknown' when k.disabled then 'key_disabled' end),
      array_agg(case k.limit_reset when 'daily' then 'day' when 'weekly' then 'week' when 'monthly' then 'month' end),
      array_agg(case k.limit_reset when 'daily' then b.day_start when 'weekly' then b.week_start when 'monthly' then b.month_start end),
      array_agg(case k.limit_reset when 'daily' then b.usage_day when 'weekly' then b.usage_week when 'monthly' then b.usage_month else b.usage end
        + case when not k.include_byok_in_limit then 0 else case k.limit_reset when 'daily' then b.byok_usage_day when 'weekly' then b.byok_usage_week
            when 'monthly' then b.byok_usage_month else b.byok_usage end end),
      array_agg(case k.limit_reset when 'daily' then b.usage_prev_day when 'weekly' then b.usage_prev_week when 'monthly' then b.usage_prev_month else 0 end
        + case when not k.include_byok_in_limit then 0 else case k.limit_reset when 'daily' then b.byok_usage_prev_day when 'weekly' then b.byok_usage_prev_week
            when 'monthly' then b.byok_usage_prev_month else 0 end end)
    into key_nos, key_limit, key_held, key_taken, key_expiry, key_state, key_period, key_start, key_used, key_used_before
    from (select * from key_balance where key_no = any(key_nos) order by key_no for update) b join api_key k on k.no = b.key_no;
  v_one_by_one := v_one_by_one or exists (select from reservation v where v.id = any(v_ids));
  v_refused := '{}';
  for item in select * from json_to_recordset(p_items) as i(r uuid, g uuid, a int, k int, aa bigint, ka bigint, d timestamptz, t timestamptz, x uuid) loop
    ai := array_position(account_nos, item.a);
    ki := array_position(key_nos, item.k);
    old_aa := null; old_ka := null;
    if item.x is not null then
      select v.account_amount, v.key_amount into old_aa, old_ka from reservation v where v.id = item.x and v.state = 'reserved' for update;
    end if;
    if key_limit[ki] is not null and item.ka > 0 then
      used := key_used[ki];
      if key_period[ki] is not null then
        at := coalesce(item.t, p_now) at time zone 'UTC';
        starts := date_trunc(key_period[ki], at)::date;
        used := case when starts = key_start[ki] then key_used[ki] when starts > key_start[ki] then 0
          when starts = (key_start[ki] - ('1 ' || key_period[ki])::interval)::date then key_used_before[ki]
          -- Older windows are not kept: nothing fits into them any more.
          else key_limit[ki] end;
      end if;
    end if;
    verdict := case
      when ai is null or ki is null then 'key_unknown'
      when key_state[ki] is not null then key_state[ki]
      when key_expiry[ki] <= coalesce(item.t, p_now) then 'key_expired'
      when item.x is not null and old_aa is null then 'lease_lost'
      when item.aa > 0 and item.aa > account_free[ai] + coalesce(old_aa, 0) then 'insufficient_credits'
      when item.ka > 0 and item.ka > key_limit[ki] - used - key_held[ki] + coalesce(old_ka, 0) then 'key_limit'
      else 'reserved' end;
    if v_one_by_one then
      if verdict = 'reserved' then
        insert into reservation (id, generation_id, account_no, key_no, account_amount, key_amount, created_at, deadline, state)
          values (item.r, item.g, item.a, item.k, item.aa, item.ka, coalesce(item.t, p_now), item.d, 'reserved') on conflict (id) do nothing;
      end if;
      if verdict in ('lease_lost', 'insufficient_credits', 'key_limit') or verdict = 'reserved' and not found then
        -- Perhaps sent again because the first answer was lost: then it is held already.
        select case v.state when 'reserved' then 'known' else 'lease_lost' end into known from reservation v where v.id = item.r;
        verdict := coalesce(known, verdict);
      end if;
    elsif verdict <> 'reserved' then
      v_refused := v_refused || item.r;
    end if;
    if verdict = 'reserved' then
      if item.x is not null then
        update reservation v set state = 'released' where v.id = item.x;
      end if;
      account_free[ai] := account_free[ai] - item.aa + coalesce(old_aa, 0);
      account_taken[ai] := account_taken[ai] + item.aa - coalesce(old_aa, 0);
      key_held[ki] := key_held[ki] + item.ka - coalesce(old_ka, 0);
      key_taken[ki] := key_taken[ki] + item.ka - coalesce(old_ka, 0);
    end if;
    r := item.r; outcome := case verdict when 'known' then 'reserved' else verdict end;
    return next;
  end loop;
  if not v_one_by_one then
    insert into reservation (id, generation_id, account_no, key_no, account_amount, key_amount, created_at, deadline, state)
      select i.r, i.g, i.a, i.k, i.aa, i.ka, coalesce(i.t, p_now), i.d, 'reserved'
      from json_to_recordset(p_items) as i(r uuid, g uuid, a int, k int, aa bigint, ka bigint, d timestamptz, t timestamptz)
      where i.r <> all(v_refused);
  end if;
  update account_balance b set reserved = b.reserved + t.taken
    from unnest(account_nos, account_taken) as t(no, taken) where b.account_no = t.no and t.taken <> 0;
  update key_balance b set reserved = b.reserved + t.taken, last_used_at = greatest(b.last_used_at, p_now)
    from unnest(key_nos, key_taken) as t(no, taken) where b.key_no = t.no;
end $$`;

/**
 * As in migration 0014 (there ledger_finish, now ledger_finish_generally), for a batch whose calls all belong to the day that
 * their keys' windows are in: then every window only grows.
 */
const FINISH = `create function ledger_finish(p_items json)
returns table (r uuid, outcome text) language plpgsql as $$
declare
  v_ids uuid[]; v_released uuid[]; v_accounts int[]; v_keys int[]; v_first date; v_last date;
begin
  select array_agg(i.r), array_agg(i.r) filter (where i.s is not true), array_agg(distinct i.a), array_agg(distinct i.k)
    into v_ids, v_released, v_accounts, v_keys
    from json_to_recordset(p_items) as i(r uuid, a int, k int, s boolean);
  perform ledger_lock(v_accounts, v_keys);
  select (min(v.created_at) at time zone 'UTC')::date, (max(v.created_at) at time zone 'UTC')::date into v_first, v_last
    from reservation v where v.id = any(v_ids);
  if v_first is distinct from v_last or exists (select from key_balance b where b.key_no = any(v_keys) and b.day_start <> v_first) then
    return query select * from ledger_finish_generally(p_items);
    return;
  end if;
  if current_setting('synchronous_commit') = 'off' then
    set local synchronous_commit = on;
  end if;
  return query
  with item as (
    -- A reservation that is finished twice in one batch is finished once.
    select distinct on (i.r) i.* from json_to_recordset(p_items) as i(r uuid, s boolean, c bigint, b bigint, g ledger_usage)
  ), moved as (
    update reservation v set state = case when v.id = any(v_released) then 'released' else 'settled' end
    where v.id = any(v_ids) and v.state = 'reserved'
    returning v.id, v.account_no, v.key_no, v.account_amount, v.key_amount, v.generation_id, v.created_at
  ), closed as (
    select m.*, case when i.s then i.c else 0 end as cost, case when i.s then i.b else 0 end as byok, i.g
    from moved m join item i on i.r = m.id
  ), account_moved as (
    update account_balance b set reserved = b.reserved - t.freed, spent = b.spent + t.cost
    from (select c.account_no, sum(c.account_amount)::bigint as freed, sum(c.cost)::bigint as cost from closed c group by 1) t
    where b.account_no = t.account_no
  ), key_moved as (
    update key_balance b set reserved = b.reserved - t.freed,
      usage = b.usage + t.cost, usage_day = b.usage_day + t.cost, usage_week = b.usage_week + t.cost, usage_month = b.usage_month + t.cost,
      byok_usage = b.byok_usage + t.byok, byok_usage_day = b.byok_usage_day + t.byok, byok_usage_week = b.byok_usage_week + t.byok,
      byok_usage_month = b.byok_usage_month + t.byok
    from (select c.key_no, sum(c.key_amount)::bigint as freed, sum(c.cost)::bigint as cost, sum(c.byok)::bigint as byok from closed c group by 1) t
    where b.key_no = t.key_no
  ), recorded as (
    insert into generation (id, created_at, cost, upstream_cost, account_no, workspace_no, key_no, model, provider, external_user, app, origin,
      finish_reason, tokens_prompt, tokens_completion, tokens_reasoning, tokens_cached, characters, latency_ms, duration_ms, status, images,
      modality, is_byok, streamed, synthetic)
    select c.generation_id, c.created_at, c.cost, (c.g).upstream_cost, c.account_no, (c.g).workspace_no, c.key_no, (c.g).model, (c.g).provider,
      (c.g).external_user, (c.g).app, (c.g).origin, (c.g).finish_reason, (c.g).tokens_prompt, (c.g).tokens_completion, (c.g).tokens_reasoning,
      (c.g).tokens_cached, (c.g).characters, (c.g).latency_ms, (c.g).duration_ms, (c.g).status, (c.g).images, (c.g).modality, (c.g).is_byok,
      (c.g).streamed, false
    from closed c where not (c.g is null)
  ), announced as (
    insert into outbox (generation_id, created_at) select c.generation_id, c.created_at from closed c where not (c.g is null)
  ), entered as (
    insert into ledger_entry (account_no, key_no, kind, amount, generation_id, created_at)
    select c.account_no, c.key_no, 'generation', -c.cost, c.generation_id, c.created_at from closed c where c.cost <> 0
  )
  select i.r, case when c.id is not null then 'done'
    when (select v.state from reservation v where v.id = i.r) = case when i.s then 'settled' else 'released' end then 'done' else 'lost' end
  from item i left join closed c on c.id = i.r;
end $$`;
