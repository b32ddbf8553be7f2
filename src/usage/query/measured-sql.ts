import type { AnalyticsPlan } from '../analytics-query.js';
import type { Metric } from '../analytics-vocabulary.js';
import { canCountValues, cellsOfCalls, countedValuesSql, type CallsSource } from './counted-values.js';
import { cover } from './cover.js';
import { filterSql, narrowBySpan, type Narrowing } from './filter-sql.js';
import { addendSql, FORMULAS, isAdditive, rankedOf, sumSql, type AdditiveMeasure, type Measure } from './measures.js';
import type { KnownSpans, Parameters } from './statement.js';
import type { Rollup, StoreDialect } from './store-dialect.js';

const HOUR_MS = 3_600_000;

interface Compiling {
  readonly dialect: StoreDialect;
  readonly parameters: Parameters;
  readonly spans: KnownSpans;
}

/**
 * The statement for the measures of a plan by bucket and by the codes of its dimensions. Its columns are `bucket`,
 * `d0…`, and the measures by name.
 */
export function measuredSql(
  plan: AnalyticsPlan,
  metrics: readonly Metric[],
  { dialect, parameters, spans }: Compiling,
): string {
  const columns = plan.dimensions.map((dimension) => dialect.columns[dimension]);
  const groups = [
    ...(plan.granularity ? [`${dialect.bucket(plan.granularity)} as bucket`] : []),
    ...columns.map(({ code }, index) => `${code} as d${index}`),
  ];
  const names = [...(plan.granularity ? ['bucket'] : []), ...columns.map((_, index) => `d${index}`)];
  const measures = [...new Set(metrics.flatMap((metric) => FORMULAS[metric].measures))];
  const narrowings = plan.filters.map((filter, index): Narrowing => {
    const span = spans.get(filter);
    return span
      ? narrowBySpan(filter, `f${index}`, span, dialect, parameters)
      : { condition: filterSql(filter, dialect, parameters) };
  });
  const columnJoins = new Set(
    [...columns, ...plan.filters.map(({ field }) => dialect.columns[field])].flatMap(({ join }) => join ?? []),
  );
  const joins = [...columnJoins, ...narrowings.flatMap(({ join }) => join ?? [])].map((join) => ` ${join}`).join('');
  const conditions = [
    `g.account_no = cast(${parameters.add(plan.accountNo)} as int)`,
    ...narrowings.flatMap(({ condition }) => condition ?? []),
  ];
  const by = groups.length > 0 ? ` group by ${groups.map((_, index) => index + 1).join(', ')}` : '';
  const source = (table: string, times: string): CallsSource => ({
    groups,
    names,
    by,
    rows: `${table} g${joins} where ${[times, ...conditions].join(' and ')}`,
  });
  const between = (start: number, end: number): string =>
    `(${dialect.time} >= ${parameters.add(dialect.moment(start))}` +
    ` and ${dialect.time} < ${parameters.add(dialect.moment(end))})`;

  const isCounted = canCountValues(plan, measures, dialect);
  const additive = measures.filter(isAdditive);
  const pieces = cover(plan.from, plan.to, fittingRollups(plan, measures, dialect));
  if (pieces.every(({ rollup }) => rollup === undefined)) {
    const calls = source('generation', between(plan.from, plan.to));
    if (isCounted) return countedValuesSql(cellsOfCalls(calls, additive), calls, additive);
    const sums = measures.map(
      (name) =>
        `${isAdditive(name) ? sumSql(name) : dialect.ranks(rankedOf(name, metrics), hasManyGroups(plan))} as ${name}`,
    );
    return `select ${[...groups, ...sums].join(', ')} from ${calls.rows}${by}`;
  }
  const latency = isCounted ? ['g.latency_ms as latency'] : [];
  const part = ({ rows }: CallsSource, addend: (name: AdditiveMeasure) => string): string => {
    const equals = isCounted ? [`${addend('latency_calls')} as equals`] : [];
    const addends = additive.map((name) => `${addend(name)} as ${name}`);
    return `select ${[...groups, ...latency, ...equals, ...addends].join(', ')} from ${rows}`;
  };
  // Each piece is a separate part, because a store skips data outside one range, but not outside the union of two
  // ranges.
  const parts = pieces.map(({ from, to, rollup }) => {
    if (!rollup) return part(source('generation', between(from, to)), addendSql);
    const bound = (ms: number): string => `cast(${parameters.add(ms / rollup.lengthMs)} as int)`;
    return part(
      source(rollup.table, `${rollup.time} >= ${bound(from)} and ${rollup.time} < ${bound(to)}`),
      (name) => `g.${name}`,
    );
  });
  if (isCounted) {
    const columns = [...names, 'latency', ...['equals', ...additive].map((name) => `sum(${name}) as ${name}`)];
    const cells = `select ${columns.join(', ')} from (${parts.join(' union all ')}) parts`;
    const byLatency = [...names, 'latency'].map((_, index) => index + 1).join(', ');
    return countedValuesSql(`${cells} group by ${byLatency}`, { names, by }, additive);
  }
  // The parts are summed together, because each aggregation adds a third to the planning time of a small query.
  const sums = [...names, ...additive.map((name) => `coalesce(sum(${name}), 0) as ${name}`)];
  return `select ${sums.join(', ')} from (${parts.join(' union all ')}) parts${by}`;
}

/** Whether there can be as many groups as end users. */
const hasManyGroups = ({ dimensions }: AnalyticsPlan): boolean =>
  dimensions.includes('external_user') || dimensions.includes('generation_id');

/** For each length, the first rollup that has the plan's dimensions. */
function fittingRollups(plan: AnalyticsPlan, measures: readonly Measure[], dialect: StoreDialect): Rollup[] {
  const isCounted = canCountValues(plan, measures, dialect);
  if (plan.granularity === 'minute' || (!isCounted && !measures.every(isAdditive))) return [];
  const needed = [...plan.dimensions, ...plan.filters.map(({ field }) => field)];
  const longestMs = plan.granularity === 'hour' ? HOUR_MS : Infinity;
  const fitting = dialect.rollups.filter(
    ({ dimensions, hasLatencies = false, lengthMs }) =>
      hasLatencies === isCounted && lengthMs <= longestMs && needed.every((dimension) => dimensions.has(dimension)),
  );
  return fitting.filter(({ lengthMs }, index) => fitting.findIndex((each) => each.lengthMs === lengthMs) === index);
}
