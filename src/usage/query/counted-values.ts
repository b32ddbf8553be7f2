import type { AnalyticsPlan } from '../analytics-query.js';
import type { Dimension } from '../analytics-vocabulary.js';
import { isAdditive, PERCENTILES, sumSql, SUCCEEDED, type Measure } from './measures.js';

/** Calls to aggregate: what groups them, how the groups are named, and what follows `from`. */
export interface CallsSource {
  readonly groups: readonly string[];
  readonly names: readonly string[];
  /** `group by` them, by their places. */
  readonly by: string;
  readonly rows: string;
}

/** Of these there are so many that nearly every call would be a latency of its own. */
const MANY_VALUED: ReadonlySet<Dimension> = new Set<Dimension>([
  'generation_id',
  'external_user',
  'api_key_id',
  'model',
]);

/** Whether counting equal latencies first costs less than gathering them all: where there are few groups. */
export const canCountValues = ({ dimensions, granularity }: AnalyticsPlan, measures: readonly Measure[]): boolean =>
  measures.includes('latency_ranks') &&
  !measures.includes('throughput_ranks') &&
  dimensions.length + (granularity ? 1 : 0) <= 1 &&
  !dimensions.some((dimension) => MANY_VALUED.has(dimension));

/** The measures of calls, with percentiles of latency from the counts of each latency: whole milliseconds repeat. */
export function countedValuesSql({ groups, names, by, rows }: CallsSource, measures: readonly Measure[]): string {
  const additive = measures.filter(isAdditive);
  // -1: failed, without a rank.
  const cells = `select ${[...groups, `case when ${SUCCEEDED} then g.latency_ms else -1 end as latency`, 'count(*) as equals', ...additive.map((name) => `${sumSql(name)} as ${name}`)].join(', ')}
    from ${rows} group by ${[...groups, 'latency'].map((_, index) => index + 1).join(', ')}`;
  const within = names.length > 0 ? `partition by ${names.join(', ')}` : '';
  const ranked = 'sum(case when latency >= 0 then equals else 0 end)';
  const placed = `select *, ${ranked} over (${within} order by latency) as upto, ${ranked} over (${within}) as ranked from (${cells}) cells`;
  const ranks = PERCENTILES.map(
    (percent) => `min(latency) filter (where latency >= 0 and upto * 100 >= ranked * ${percent})`,
  );
  return `select ${[...names, ...additive.map((name) => `coalesce(sum(${name}), 0) as ${name}`), `array[${ranks.join(', ')}] as latency_ranks`].join(', ')} from (${placed}) placed${by}`;
}
