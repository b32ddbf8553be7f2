import { CONTEXT_LENGTH_BOUNDS, type Metric } from '../analytics-vocabulary.js';

// This SQL is valid in PostgreSQL, DuckDB and ClickHouse. `g` is the call.
const SUCCEEDED = 'g.status < 400';
const MADE_TOKENS = 'g.status < 400 and g.tokens_completion > 0 and g.duration_ms > 0';
const THROUGHPUT = 'cast(g.tokens_completion as double precision) * 1000 / g.duration_ms';
/** The column is null if the amount equals the cost. */
const UPSTREAM_COST = 'coalesce(g.upstream_cost, g.cost)';

/** The SQL of the value that a call adds to a measure, and the condition for calls that count. */
interface Addend {
  readonly of: string;
  readonly where?: string;
}

const bigint = (column: string): string => `cast(g.${column} as bigint)`;

/** Additive measures can be summed over parts (rollups, edges of a window). Other measures need every call. */
const ADDENDS = {
  calls: { of: '1' },
  errors: { of: '1', where: 'g.status >= 400' },
  byok_calls: { of: '1', where: 'g.is_byok' },
  prompt: { of: bigint('tokens_prompt') },
  completion: { of: bigint('tokens_completion') },
  reasoning: { of: bigint('tokens_reasoning') },
  cached: { of: bigint('tokens_cached') },
  images: { of: bigint('images') },
  characters: { of: bigint('characters') },
  credits: { of: 'g.cost' },
  byok: { of: UPSTREAM_COST, where: 'g.is_byok' },
  upstream: { of: UPSTREAM_COST },
  latency_calls: { of: '1', where: SUCCEEDED },
  latency_sum: { of: bigint('latency_ms'), where: SUCCEEDED },
  throughput_calls: { of: '1', where: MADE_TOKENS },
  throughput_sum: { of: THROUGHPUT, where: MADE_TOKENS },
} as const satisfies Record<string, Addend>;

export type AdditiveMeasure = keyof typeof ADDENDS;
export const ADDITIVE_MEASURES = Object.keys(ADDENDS) as AdditiveMeasure[];

/** The SQL of the sum over calls. */
export function sumSql(measure: AdditiveMeasure): string {
  const { of, where }: Addend = ADDENDS[measure];
  const filter = where ? ` filter (where ${where})` : '';
  return of === '1' ? `count(*)${filter}` : `coalesce(sum(${of})${filter}, 0)`;
}

/** The SQL of the value that one call adds to the measure. */
export function addendSql(measure: AdditiveMeasure): string {
  const { of, where }: Addend = ADDENDS[measure];
  return where ? `case when ${where} then ${of} else 0 end` : of;
}

/** The percentiles, in the order of a rank measure's array. */
export const PERCENTILES = [50, 90, 99] as const;

type Percentile = (typeof PERCENTILES)[number];

const RANKED = {
  latency_ranks: { of: 'g.latency_ms', where: SUCCEEDED },
  throughput_ranks: { of: THROUGHPUT, where: MADE_TOKENS },
} as const;
type Ranks = keyof typeof RANKED;

/** The value that is ranked, the calls that count, and the percentiles. */
export interface Ranked {
  readonly of: string;
  readonly where: string;
  readonly percents: readonly number[];
}

export type Measure = AdditiveMeasure | Ranks;

interface MetricFormula {
  readonly measures: readonly Measure[];
  /** The formula over the measures, by name. A ratio without calls is 0, because every value is a number. */
  readonly sql: string;
  /** Money is returned as text, because its sums do not fit a double. */
  readonly money?: true;
  /** Set for a metric that is a percentile. */
  readonly percent?: Percentile;
}

const number = (measure: Measure): MetricFormula => ({
  measures: [measure],
  sql: `coalesce(cast(${measure} as double precision), 0)`,
});
const rank = (of: Ranks, percent: Percentile): MetricFormula => ({
  measures: [of],
  sql: `coalesce(cast(${of}[${PERCENTILES.indexOf(percent) + 1}] as double precision), 0)`,
  percent,
});
const ratio = (above: Measure, below: Measure): MetricFormula => ({
  measures: [above, below],
  sql: `case when ${below} = 0 then 0 else cast(${above} as double precision) / cast(${below} as double precision) end`,
});
const money = (...measures: Measure[]): MetricFormula => ({ measures, sql: measures.join(' + '), money: true });

export const FORMULAS: Readonly<Record<Metric, MetricFormula>> = {
  request_count: number('calls'),
  tokens_total: {
    measures: ['prompt', 'completion'],
    sql: 'cast(prompt + completion as double precision)',
  },
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

export const isAdditive = (measure: Measure): measure is AdditiveMeasure => measure in ADDENDS;

/**
 * Exact nearest-rank percentiles, all in one aggregate, since they need the same values. A percentile that is not
 * requested is replaced by the greatest requested percentile, which costs nothing.
 */
export function rankedOf(measure: Ranks, metrics: readonly Metric[]): Ranked {
  const requested = metrics.flatMap((metric): Percentile[] =>
    FORMULAS[metric].measures.includes(measure) ? [FORMULAS[metric].percent!] : [],
  );
  return {
    ...RANKED[measure],
    percents: PERCENTILES.map((percent) => (requested.includes(percent) ? percent : Math.max(...requested))),
  };
}

/** The percentiles as a list of fractions in SQL. */
export const fractionsOf = (percents: readonly number[]): string =>
  `[${percents.map((percent) => percent / 100).join(', ')}]`;

/** Nearest-rank percentiles in the syntax of PostgreSQL and DuckDB. */
export const percentileDisc = ({ of, where, percents }: Ranked): string =>
  `percentile_disc(array${fractionsOf(percents)}) within group (order by ${of}) filter (where ${where})`;

/** The SQL of the index of the context length bucket for a number of prompt tokens. */
export const contextBucketSql = (tokens: string): string =>
  `case ${CONTEXT_LENGTH_BOUNDS.map((bound, index) => `when ${tokens} < ${bound} then ${index}`).join(' ')} ` +
  `else ${CONTEXT_LENGTH_BOUNDS.length} end`;
