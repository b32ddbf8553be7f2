import { Migration } from '@mikro-orm/migrations';

/**
 * Makes limits exact on both sides of a window's end. The first functions measured a whole batch at the time of its
 * first call, and read an ended window as 0: a replica whose clock lagged, or a call that moved to another endpoint
 * after midnight, found yesterday's limit unspent. Balances now keep the spend of the window before the present one,
 * each call is measured in the window of its own reservation, and a repeated reservation is held once.
 */
export class Migration0005LedgerWindows extends Migration {
  override up(): void {
    this.addSql(
      `alter table key_balance ${eachWindow((column, _, period) => `add column ${column}_prev_${period} bigint not null default 0`)}`,
    );
    this.addSql(RESERVE);
    this.addSql(FINISH);
  }
}

const PERIODS = ['day', 'week', 'month'];
const SPENDS = [
  { column: 'usage', amount: 'cost' },
  { column: 'byok_usage', amount: 'byok' },
];

/** As in migration 0003, but decides each item at its own time: t, or p_now where it is absent. */
const RESERVE = `create or replace function ledger_reserve(p_now timestamptz, p_items json)
returns table (r uuid, outcome text) language plpgsql as $$
declare
  account_nos int[]; account_free bigint[]; account_taken bigint[];
  key_nos int[]; key_limit bigint[]; key_held bigint[]; key_taken bigint[]; key_state text[]; key_expiry timestamptz[];
  key_period text[]; key_start date[]; key_used bigint[]; key_used_before bigint[];
  item record; old_aa bigint; old_ka bigint; known text; ai int; ki int; verdict text; used bigint; at timestamp; starts date;
begin
  -- A lost reservation only means that its call is cut: it need not survive a crash of the database.
  set local synchronous_commit = off;
  select array_agg(distinct i.a), array_agg(distinct i.k) into account_nos, key_nos
    from json_to_recordset(p_items) as i(a int, k int);
  perform ledger_lock(account_nos, key_nos);
  select array_agg(b.account_no), array_agg(b.granted - b.spent - b.reserved), array_agg(0::bigint)
    into account_nos, account_free, account_taken
    from account_balance b where b.account_no = any(account_nos);
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
    from key_balance b join api_key k on k.no = b.key_no where b.key_no = any(key_nos);
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
    if verdict = 'reserved' then
      insert into reservation (id, generation_id, account_no, key_no, account_amount, key_amount, created_at, deadline, state)
        values (item.r, item.g, item.a, item.k, item.aa, item.ka, coalesce(item.t, p_now), item.d, 'reserved') on conflict (id) do nothing;
    end if;
    if verdict in ('lease_lost', 'insufficient_credits', 'key_limit') or verdict = 'reserved' and not found then
      -- Perhaps sent again because the first answer was lost: then it is held already.
      select case v.state when 'reserved' then 'known' else 'lease_lost' end into known from reservation v where v.id = item.r;
      verdict := coalesce(known, verdict);
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
  update account_balance b set reserved = b.reserved + t.taken
    from unnest(account_nos, account_taken) as t(no, taken) where b.account_no = t.no and t.taken <> 0;
  update key_balance b set reserved = b.reserved + t.taken, last_used_at = greatest(b.last_used_at, p_now)
    from unnest(key_nos, key_taken) as t(no, taken) where b.key_no = t.no;
end $$`;

type Write = (column: string, amount: string, period: string) => string;
/** Writes one piece of SQL for each window of each kind of spend. */
const eachWindow = (write: Write): string =>
  SPENDS.flatMap(({ column, amount }) => PERIODS.map((period) => write(column, amount, period))).join(',\n      ');

const SUMS = eachWindow((_, amount, period) =>
  ['', '_before']
    .map(
      (when) =>
        `coalesce(sum(c.${amount}) filter (where c.${period} = w.${period}${when}), 0)::bigint as ${amount}_${period}${when}`,
    )
    .join(', '),
);
const PRESENT = eachWindow(
  (column, amount, period) =>
    `${column}_${period} = case when b.${period}_start = t.${period} then b.${column}_${period} else 0 end + t.${amount}_${period}`,
);
/** As a window rolls, the present spend becomes that of the window before. */
const BEFORE = eachWindow(
  (column, amount, period) =>
    `${column}_prev_${period} = case when b.${period}_start = t.${period} then b.${column}_prev_${period}
        when b.${period}_start = t.${period}_before then b.${column}_${period} else 0 end + t.${amount}_${period}_before`,
);

/** As in migration 0003, but counts each settlement in the window of its reservation, the ended one included. */
const FINISH = `create or replace function ledger_finish(p_items json)
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
  ), newest as (
    select b.key_no, greatest(b.day_start, max(c.day)) as day, greatest(b.week_start, max(c.week)) as week, greatest(b.month_start, max(c.month)) as month
    from closed c join key_balance b on b.key_no = c.key_no group by b.key_no
  ), windows as (
    select n.*, n.day - 1 as day_before, n.week - 7 as week_before, (n.month - interval '1 month')::date as month_before from newest n
  ), per_key as (
    select w.*, sum(c.key_amount)::bigint as freed, sum(c.cost)::bigint as cost, sum(c.byok)::bigint as byok,
      ${SUMS}
    from closed c join windows w on w.key_no = c.key_no
    group by w.key_no, w.day, w.week, w.month, w.day_before, w.week_before, w.month_before
  ), account_moved as (
    update account_balance b set reserved = b.reserved - t.freed, spent = b.spent + t.cost
    from (select c.account_no, sum(c.account_amount)::bigint as freed, sum(c.cost)::bigint as cost from closed c group by 1) t
    where b.account_no = t.account_no
  ), key_moved as (
    update key_balance b set
      reserved = b.reserved - t.freed, usage = b.usage + t.cost, byok_usage = b.byok_usage + t.byok,
      ${PRESENT},
      ${BEFORE},
      day_start = t.day, week_start = t.week, month_start = t.month
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
