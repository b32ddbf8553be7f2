import type { AnalyticsPlan } from '../analytics-query.js';
import type { Dimension } from '../analytics-vocabulary.js';
import { PERCENTILES, sumSql, type AdditiveMeasure, type Measure } from './measures.js';
import type { StoreDialect } from './store-dialect.js';

/** Calls to aggregate: the group expressions, their names, and the text after `from`. */
export interface CallsSource {
  readonly groups: readonly string[];
  readonly names: readonly string[];
  /** The `group by` clause, with the positions of the groups. */
  readonly by: string;
  readonly rows: string;
}

/** Dimensions with so many values that two calls of one group rarely have the same latency. */
const MANY_VALUED: ReadonlySet<Dimension> = new Set<Dimension>([
  'generation_id',
  'external_user',
  'api_key_id',
  'model',
]);

/** Whether counting equal latencies costs less than collecting all latencies, which is the case with few groups. */
export const canCountValues = (
  { dimensions, granularity }: AnalyticsPlan,
  measures: readonly Measure[],
  { countsLatencies }: StoreDialect,
): boolean =>
  countsLatencies &&
  measures.includes('latency_ranks') &&
  !measures.includes('throughput_ranks') &&
  dimensions.length + (granularity ? 1 : 0) <= 1 &&
  !dimensions.some((dimension) => MANY_VALUED.has(dimension));

/**
 * Selects calls by group and latency. The columns are the groups, `latency`, `equals` (the number of successful calls,
 * because only these are ranked), and the sums of the measures.
 */
export function cellsOfCalls({ groups, rows }: CallsSource, additive: readonly AdditiveMeasure[]): string {
  const columns = [
    ...groups,
    'g.latency_ms as latency',
    `${sumSql('latency_calls')} as equals`,
    ...additive.map((name) => `${sumSql(name)} as ${name}`),
  ];
  const by = [...groups, 'latency'].map((_, index) => index + 1).join(', ');
  return `select ${columns.join(', ')} from ${rows} group by ${by}`;
}

/**
 * Computes measures from `cells`, a statement with the columns of `cellsOfCalls`. Latency percentiles are computed from
 * the number of calls for each whole millisecond.
 */
export function countedValuesSql(
  cells: string,
  { names, by }: Pick<CallsSource, 'names' | 'by'>,
  additive: readonly AdditiveMeasure[],
): string {
  const within = names.length > 0 ? `partition by ${names.join(', ')}` : '';
  const sums = `sum(equals) over (${within} order by latency) as upto, sum(equals) over (${within}) as ranked`;
  const placed = `select *, ${sums} from (${cells}) cells`;
  const ranks = PERCENTILES.map(
    (percent) => `min(latency) filter (where equals > 0 and upto * 100 >= ranked * ${percent})`,
  );
  const columns = [
    ...names,
    ...additive.map((name) => `coalesce(sum(${name}), 0) as ${name}`),
    `array[${ranks.join(', ')}] as latency_ranks`,
  ];
  return `select ${columns.join(', ')} from (${placed}) placed${by}`;
}
