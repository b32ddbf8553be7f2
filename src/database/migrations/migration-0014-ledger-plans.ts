import { Migration } from '@mikro-orm/migrations';

/**
 * Keeps the price of a batch the same however many closed reservations there are. The statements of a ledger function are
 * planned once a connection, while the table is still empty: the plan then read the whole of it for every batch, and went on
 * to as it grew. Rows are now asked for by their ids, no plan may read a whole table, and none is made anew for every batch.
 */
export class Migration0014LedgerPlans extends Migration {
  override up(): void {
    this.addSql(FINISH);
    for (const name of ['ledger_reserve(timestamptz, json)', 'ledger_finish(json)']) {
      this.addSql(`alter function ${name} set enable_seqscan = off`);
      this.addSql(`alter function ${name} set plan_cache_mode = force_generic_plan`);
    }
  }
}

const PERIODS = ['day', 'week', 'month'];
const SPENDS = [
  { column: 'usage', amount: 'cost' },
  { column: 'byok_usage', amount: 'byok' },
];

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

/** As in migration 0005; only the ways to the rows of `reservation` are others. */
const FINISH = `create or replace function ledger_finish(p_items json)
returns table (r uuid, outcome text) language plpgsql as $$
declare
  v_ids uuid[]; v_settled uuid[]; v_accounts int[]; v_keys int[];
begin
  if current_setting('synchronous_commit') = 'off' then
    set local synchronous_commit = on;
  end if;
  select array_agg(i.r), array_agg(i.r) filter (where i.s), array_agg(distinct i.a), array_agg(distinct i.k)
    into v_ids, v_settled, v_accounts, v_keys
    from json_to_recordset(p_items) as i(r uuid, a int, k int, s boolean);
  perform ledger_lock(v_accounts, v_keys);
  return query
  with item as (
    -- A reservation that is finished twice in one batch is finished once.
    select distinct on (i.r) i.* from json_to_recordset(p_items) as i(r uuid, s boolean, c bigint, b bigint, g json)
  ), moved as (
    update reservation v set state = case when v.id = any(v_settled) then 'settled' else 'released' end
    where v.id = any(v_ids) and v.state = 'reserved'
    returning v.id, v.account_no, v.key_no, v.account_amount, v.key_amount, v.generation_id, v.created_at
  ), closed as (
    select m.*, case when i.s then i.c else 0 end as cost, case when i.s then i.b else 0 end as byok,
      (m.created_at at time zone 'UTC')::date as day,
      date_trunc('week', m.created_at at time zone 'UTC')::date as week,
      date_trunc('month', m.created_at at time zone 'UTC')::date as month, i.g
    from moved m join item i on i.r = m.id
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
  select i.r, case when c.id is not null then 'done'
    when (select v.state from reservation v where v.id = i.r) = case when i.s then 'settled' else 'released' end then 'done' else 'lost' end
  from item i left join closed c on c.id = i.r;
end $$`;
