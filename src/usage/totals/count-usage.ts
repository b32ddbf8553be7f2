import type { SqlSession } from '../../database/sql.js';
import { DURATION_BOUNDS_S, TOKEN_BOUNDS } from '../../telemetry/genai-names.js';
import { MODALITY } from '../generation-record.js';

/** The label in the totals for models and providers that exceed the limit of series. */
export const OTHER = 'other';

/** Maximum number of series of the service's other metrics, which are not in the totals. */
const MAX_OWN_SERIES = 300;

/** The outcomes of calls, in the order of `usage_total.outcomes`, each with its condition. */
const OUTCOMES = {
  success: 'g.status < 400',
  rejected: 'g.status >= 400 and g.status < 499',
  cancelled: 'g.status = 499',
  error: 'g.status >= 500',
} as const;
export const OUTCOME_NAMES = Object.keys(OUTCOMES);

const HISTOGRAM_LINES = DURATION_BOUNDS_S.length + 3;
/** The maximum number of series of a model at a provider: calls, outcomes and cost, and tokens of two types. */
export const SERIES_PER_MODEL = HISTOGRAM_LINES + OUTCOME_NAMES.length + 1 + 2 * HISTOGRAM_LINES;

const cumulative = (value: string, bounds: readonly number[]): string =>
  `array[${bounds.map((bound) => `count(*) filter (where ${value} between 1 and ${bound})`).join(', ')}]`;

/**
 * Selects the calls that are not counted yet, by modality, provider and model. `$1` is the number of this transaction.
 * Entries of transactions with this number or a higher one are counted in the next round. The reason is that after a
 * crash, the server may reuse the number of a transaction that was not on disk. It never reuses a number that is lower
 * than the number of a transaction on disk. `next` is the snapshot up to which the calls are counted.
 */
const UNCOUNTED = `
  with now_seen as materialized (
    select pg_current_snapshot() as at
  ), next as (
    select pg_snapshot_xmin(at)::text || ':' || least(pg_snapshot_xmax(at), $1::xid8)::text || ':' || coalesce(
        (select string_agg(x::text, ',' order by x) from pg_snapshot_xip(at) x where x < $1::xid8), '') as seen
    from now_seen
  ), due as materialized (
    select o.generation_id, o.created_at from outbox_call o, usage_total_position p
    where o.xid >= pg_snapshot_xmin(p.seen) and o.xid < $1::xid8 and not pg_visible_in_snapshot(o.xid, p.seen)
  ), counted as (
    select g.modality, g.provider, g.model, count(*) as calls,
      array[${Object.values(OUTCOMES)
        .map((condition) => `count(*) filter (where ${condition})`)
        .join(', ')}] as outcomes,
      sum(g.cost) as cost,
      sum(g.duration_ms::bigint) as duration_ms,
      array[${DURATION_BOUNDS_S.map((bound) => `count(*) filter (where g.duration_ms <= ${bound * 1000})`).join(', ')}]
        as durations,
      sum(g.tokens_prompt) as input_tokens, count(*) filter (where g.tokens_prompt > 0) as input_calls,
      ${cumulative('g.tokens_prompt', TOKEN_BOUNDS)} as inputs,
      sum(g.tokens_completion) as output_tokens, count(*) filter (where g.tokens_completion > 0) as output_calls,
      ${cumulative('g.tokens_completion', TOKEN_BOUNDS)} as outputs
    from due d join generation g on g.id = d.generation_id and g.created_at = d.created_at
    group by g.modality, g.provider, g.model
  )
  select next.seen, coalesce((
    select json_agg(json_build_object('modality', c.modality, 'provider', p.value, 'model', m.value,
      'calls', c.calls, 'outcomes', c.outcomes, 'cost', c.cost::text,
      'duration_ms', c.duration_ms::text, 'durations', c.durations,
      'input_tokens', c.input_tokens::text, 'input_calls', c.input_calls, 'inputs', c.inputs,
      'output_tokens', c.output_tokens::text, 'output_calls', c.output_calls, 'outputs', c.outputs))
    from counted c join usage_label p on p.id = c.provider join usage_label m on m.id = c.model), '[]') as counted
  from next`;

const SUMS = ['calls', 'cost', 'duration_ms', 'input_tokens', 'input_calls', 'output_tokens', 'output_calls'] as const;
const ARRAYS = ['outcomes', 'durations', 'inputs', 'outputs'] as const;

const ADD = `
  insert into usage_total as t (modality, provider, model, ${[...SUMS, ...ARRAYS].join(', ')})
  select * from json_to_recordset($1) as i (modality smallint, provider text, model text,
    ${SUMS.map((name) => `${name} numeric`).join(', ')}, ${ARRAYS.map((name) => `${name} numeric[]`).join(', ')})
  on conflict (modality, provider, model) do update set
    ${SUMS.map((name) => `${name} = t.${name} + excluded.${name}`).join(',\n    ')},
    ${ARRAYS.map(
      (name) => `${name} = array(
        select a + b from unnest(t.${name}, excluded.${name}) with ordinality as pair (a, b, n) order by n)`,
    ).join(',\n    ')}`;

interface Place {
  readonly modality: number;
  readonly provider: string;
  readonly model: string;
}
type Counted = Place & { [Name in (typeof SUMS)[number]]: string | number } & {
  [Name in (typeof ARRAYS)[number]]: number[];
};

const keyOf = ({ modality, provider, model }: Place): string => JSON.stringify([modality, provider, model]);

/**
 * Adds the calls in the outbox that are not counted yet to the totals, and moves the position, in the transaction of
 * `session`. The transaction needs the option `byIndex`, so that the time does not depend on the number of counted
 * calls. Returns the number of added calls. While another transaction counts, returns 0. With `waits`, waits for that
 * transaction instead.
 */
export async function countUsage(
  session: SqlSession,
  { maxSeries, waits = false }: { readonly maxSeries: number; readonly waits?: boolean },
): Promise<number> {
  const [own] = await session.query<{ xid: string }>(
    `select pg_current_xact_id()::text as xid from usage_total_position for update${waits ? '' : ' skip locked'}`,
  );
  if (!own) return 0;
  const [next] = await session.query<{ seen: string; counted: Counted[] }>(UNCOUNTED, [own.xid]);
  const { seen, counted } = next!;
  if (counted.length > 0) {
    const known = await session.query<Place>('select modality, provider, model from usage_total');
    await session.query(ADD, [JSON.stringify(placed(counted, known, maxSeries))]);
  }
  await session.query('update usage_total_position set seen = $1', [seen]);
  return counted.reduce((calls, one) => calls + Number(one.calls), 0);
}

/**
 * Whether the outbox has calls that are not counted. Only reads, so that an idle service uses no transaction numbers.
 */
export async function hasUncounted(session: SqlSession): Promise<boolean> {
  const [row] = await session.query<{ found: boolean }>(
    `select exists (select from outbox o, usage_total_position p
       where o.xid >= pg_snapshot_xmin(p.seen) and not pg_visible_in_snapshot(o.xid, p.seen)) as found`,
  );
  return row!.found;
}

/** Models beyond the limit are counted as `other`, by modality. */
function placed(counted: readonly Counted[], known: readonly Place[], maxSeries: number): Counted[] {
  const names = new Set(known.filter(({ model }) => model !== OTHER).map(keyOf));
  const others = Object.keys(MODALITY).length;
  const maxNames = Math.max(1, Math.floor((maxSeries - MAX_OWN_SERIES) / SERIES_PER_MODEL) - others);
  const placedByKey = new Map<string, Counted>();
  for (const one of counted.toSorted((a, b) => Number(b.calls) - Number(a.calls))) {
    const isNamed = names.has(keyOf(one)) || names.size < maxNames;
    if (isNamed) names.add(keyOf(one));
    const place = isNamed ? one : { ...one, provider: OTHER, model: OTHER };
    const present = placedByKey.get(keyOf(place));
    placedByKey.set(keyOf(place), present ? sumOf(present, place) : place);
  }
  return [...placedByKey.values()];
}

function sumOf(a: Counted, b: Counted): Counted {
  const sum = { ...a };
  for (const name of SUMS) sum[name] = (BigInt(a[name]) + BigInt(b[name])).toString();
  for (const name of ARRAYS) sum[name] = a[name].map((count, at) => count + b[name][at]!);
  return sum;
}
