import type { AnalyticsPlan } from '../analytics-query.js';
import type { Metric } from '../analytics-vocabulary.js';
import { canCountValues, countedValuesSql, type CallsSource } from './counted-values.js';
import { filterSql, narrowBySpan, type Narrowing } from './filter-sql.js';
import { FORMULAS, isAdditive, measureSql, type Measure } from './measures.js';
import type { Parameters } from './parameters.js';
import type { KnownSpans } from './statement.js';
import type { HourlyRollup, StoreDialect } from './store-dialect.js';

const HOUR_MS = 3_600_000;

interface Compiling {
  readonly dialect: StoreDialect;
  readonly parameters: Parameters;
  readonly spans: KnownSpans;
}

/** The measures of a plan by bucket and by the stores' codes of its dimensions: columns `bucket`, `d0…`, and the measures by name. */
export function measuredSql(plan: AnalyticsPlan, metrics: readonly Metric[], { dialect, parameters, spans }: Compiling): string {
  const columns = plan.dimensions.map((dimension) => dialect.columns[dimension]);
  const groups = [...(plan.granularity ? [`${dialect.bucket(plan.granularity)} as bucket`] : []), ...columns.map(({ code }, index) => `${code} as d${index}`)];
  const names = [...(plan.granularity ? ['bucket'] : []), ...columns.map((_, index) => `d${index}`)];
  const measures = [...new Set(metrics.flatMap((metric) => FORMULAS[metric].measures))];
  const narrowings = plan.filters.map((filter, index): Narrowing => {
    const span = spans.get(filter);
    return span ? narrowBySpan(filter, `f${index}`, span, dialect, parameters) : { condition: filterSql(filter, dialect, parameters) };
  });
  const columnJoins = new Set([...columns, ...plan.filters.map(({ field }) => dialect.columns[field])].flatMap(({ join }) => join ?? []));
  const joins = [...columnJoins, ...narrowings.flatMap(({ join }) => join ?? [])].map((join) => ` ${join}`).join('');
  const conditions = [`g.account_no = cast(${parameters.add(plan.accountNo)} as int)`, ...narrowings.flatMap(({ condition }) => condition ?? [])];
  const by = groups.length > 0 ? ` group by ${groups.map((_, index) => index + 1).join(', ')}` : '';
  const source = (table: string, times: string): CallsSource => ({ groups, names, by, rows: `${table} g${joins} where ${[times, ...conditions].join(' and ')}` });
  const from = ({ rows }: CallsSource, measure: (name: Measure) => string): string => `select ${[...groups, ...measures.map((name) => `${measure(name)} as ${name}`)].join(', ')} from ${rows}${by}`;
  const between = (start: number, end: number): string =>
    `(${dialect.time} >= ${parameters.add(dialect.moment(start))} and ${dialect.time} < ${parameters.add(dialect.moment(end))})`;
  const calls = (times: string): string => {
    const each = source('generation', times);
    return canCountValues(plan, measures) ? countedValuesSql(each, measures) : from(each, (name) => measureSql(name, metrics));
  };

  const rollup = dialect.rollups.find((each) => fits(plan, measures, each));
  const hours = wholeHours(plan);
  if (!rollup || !hours) return calls(between(plan.from, plan.to));
  const times = `${rollup.hour} >= cast(${parameters.add(hours.first)} as int) and ${rollup.hour} < cast(${parameters.add(hours.end)} as int)`;
  const middle = from(source(rollup.table, times), (name) => `coalesce(sum(g.${name}), 0)`);
  // A branch for each edge: a store skips what lies outside a range, but not what lies outside one of two.
  const edges = [...edge(plan.from, hours.first * HOUR_MS), ...edge(hours.end * HOUR_MS, plan.to)].map(([start, end]) => calls(between(start, end)));
  if (edges.length === 0) return middle;
  return `select ${[...names, ...measures.map((name) => `coalesce(sum(${name}), 0) as ${name}`)].join(', ')} from (${[middle, ...edges].join(' union all ')}) parts${by}`;
}

/** The whole hours within a plan's window; undefined where there are none. */
function wholeHours({ from, to }: AnalyticsPlan): { first: number; end: number } | undefined {
  const first = Math.ceil(from / HOUR_MS);
  const end = Math.floor(to / HOUR_MS);
  return first < end ? { first, end } : undefined;
}

const edge = (start: number, end: number): [number, number][] => (start < end ? [[start, end]] : []);

const fits = (plan: AnalyticsPlan, measures: readonly Measure[], rollup: HourlyRollup): boolean =>
  plan.granularity !== 'minute' &&
  measures.every(isAdditive) &&
  [...plan.dimensions, ...plan.filters.map(({ field }) => field)].every((dimension) => rollup.dimensions.has(dimension));
