import type { Metric } from '../analytics-vocabulary.js';

/**
 * What is aggregated over calls. Additive ones can be summed again over parts (rollups, edges of a window);
 * the others need every call. The SQL is understood by PostgreSQL and DuckDB alike; `g` is the call.
 */
export const SUCCEEDED = 'g.status < 400';
const MADE_TOKENS = 'g.status < 400 and g.tokens_completion > 0 and g.duration_ms > 0';
const THROUGHPUT = 'cast(g.tokens_completion as double precision) * 1000 / g.duration_ms';
/** Absent where it is the cost itself. */
const UPSTREAM_COST = 'coalesce(g.upstream_cost, g.cost)';
const sum = (what: string, where?: string): string => `coalesce(sum(${what})${where ? ` filter (where ${where})` : ''}, 0)`;
const bigint = (column: string): string => `cast(g.${column} as bigint)`;

export const ADDITIVE = {
  calls: 'count(*)',
  errors: 'count(*) filter (where g.status >= 400)',
  byok_calls: 'count(*) filter (where g.is_byok)',
  prompt: sum(bigint('tokens_prompt')),
  completion: sum(bigint('tokens_completion')),
  reasoning: sum(bigint('tokens_reasoning')),
  cached: sum(bigint('tokens_cached')),
  images: sum(bigint('images')),
  characters: sum(bigint('characters')),
  credits: sum('g.cost'),
  byok: sum(UPSTREAM_COST, 'g.is_byok'),
  upstream: sum(UPSTREAM_COST),
  latency_calls: `count(*) filter (where ${SUCCEEDED})`,
  latency_sum: sum(bigint('latency_ms'), SUCCEEDED),
  throughput_calls: `count(*) filter (where ${MADE_TOKENS})`,
  throughput_sum: sum(THROUGHPUT, MADE_TOKENS),
} as const;

/** The percentiles that are offered, in the order in which a measure of ranks lists them. */
export const PERCENTILES = [50, 90, 99] as const;

type Percentile = (typeof PERCENTILES)[number];

const RANKED = {
  latency_ranks: { of: 'g.latency_ms', where: SUCCEEDED },
  throughput_ranks: { of: THROUGHPUT, where: MADE_TOKENS },
} as const;
type Ranks = keyof typeof RANKED;

export type Measure = keyof typeof ADDITIVE | Ranks;

export interface MetricFormula {
  readonly measures: readonly Measure[];
  /** Over the measures by name. A ratio of nothing is 0, because every value is a number. */
  readonly sql: string;
  /** Money leaves the store as text, because its sums do not fit a double. */
  readonly money: boolean;
  /** Which of its measure's ranks it is. */
  readonly percent?: Percentile;
}

const number = (measure: Measure): MetricFormula => ({ measures: [measure], sql: `coalesce(cast(${measure} as double precision), 0)`, money: false });
const rank = (of: Ranks, percent: Percentile): MetricFormula => ({
  measures: [of],
  sql: `coalesce(cast(${of}[${PERCENTILES.indexOf(percent) + 1}] as double precision), 0)`,
  money: false,
  percent,
});
const ratio = (above: Measure, below: Measure): MetricFormula => ({
  measures: [above, below],
  sql: `case when ${below} = 0 then 0 else cast(${above} as double precision) / cast(${below} as double precision) end`,
  money: false,
});
const money = (...measures: Measure[]): MetricFormula => ({ measures, sql: measures.join(' + '), money: true });

export const FORMULAS: Readonly<Record<Metric, MetricFormula>> = {
  request_count: number('calls'),
  tokens_total: { measures: ['prompt', 'completion'], sql: 'cast(prompt + completion as double precision)', money: false },
  tokens_prompt: number('prompt'),
  tokens_completion: number('completion'),
  reasoning_tokens: number('reasoning'),
  cached_tokens: number('cached'),
  byok_request_count: number('byok_calls'),
  images_generated: number('images'),
  characters_synthesized: number('characters'),
  error_count: number('errors'),
  total_usage: money('credits', 'byok'),
  credits_usage: money('credits'),
  byok_usage: money('byok'),
  usage_upstream: money('upstream'),
  cache_hit_rate: ratio('cached', 'prompt'),
  error_rate: ratio('errors', 'calls'),
  avg_latency: ratio('latency_sum', 'latency_calls'),
  p50_latency: rank('latency_ranks', 50),
  p90_latency: rank('latency_ranks', 90),
  p99_latency: rank('latency_ranks', 99),
  avg_throughput: ratio('throughput_sum', 'throughput_calls'),
  p50_throughput: rank('throughput_ranks', 50),
  p90_throughput: rank('throughput_ranks', 90),
  p99_throughput: rank('throughput_ranks', 99),
};

/** A measure of calls as SQL, for some metrics. */
export const measureSql = (measure: Measure, metrics: readonly Metric[]): string => (isAdditive(measure) ? ADDITIVE[measure] : ranksSql(measure, metrics));

export const isAdditive = (measure: Measure): measure is keyof typeof ADDITIVE => measure in ADDITIVE;

/** Nearest-rank percentiles, exact: all in one, because what they need gathered is the same. One that no metric asks for repeats the greatest, which costs nothing. */
function ranksSql(measure: Ranks, metrics: readonly Metric[]): string {
  const asked = metrics.flatMap((metric): Percentile[] => (FORMULAS[metric].measures.includes(measure) ? [FORMULAS[metric].percent!] : []));
  const fractions = PERCENTILES.map((percent) => (asked.includes(percent) ? percent : Math.max(...asked)) / 100);
  const { of, where } = RANKED[measure];
  return `percentile_disc(array[${fractions.join(', ')}]) within group (order by ${of}) filter (where ${where})`;
}
