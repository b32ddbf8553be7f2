import type { AnalyticsPlan } from '../analytics-query.js';
import type { Metric } from '../analytics-vocabulary.js';
import { canCountValues, countedValuesSql, type CallsSource } from './counted-values.js';
import { cover } from './cover.js';
import { filterSql, narrowBySpan, type Narrowing } from './filter-sql.js';
import { addendSql, FORMULAS, isAdditive, rankedOf, sumSql, type AdditiveMeasure, type Measure } from './measures.js';
import type { Parameters } from './parameters.js';
import type { KnownSpans } from './statement.js';
import type { Rollup, StoreDialect } from './store-dialect.js';

interface Compiling {
  readonly dialect: StoreDialect;
  readonly parameters: Parameters;
  readonly spans: KnownSpans;
}

/** The measures of a plan by bucket and by the stores' codes of its dimensions: columns `bucket`, `d0…`, and the measures by name. */
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
    `(${dialect.time} >= ${parameters.add(dialect.moment(start))} and ${dialect.time} < ${parameters.add(dialect.moment(end))})`;

  const pieces = cover(plan.from, plan.to, fittingRollups(plan, measures, dialect));
  if (pieces.every(({ rollup }) => rollup === undefined)) {
    const calls = source('generation', between(plan.from, plan.to));
    if (canCountValues(plan, measures)) return countedValuesSql(calls, measures);
    const sums = measures.map(
      (name) =>
        `${isAdditive(name) ? sumSql(name) : dialect.ranks(rankedOf(name, metrics), hasManyGroups(plan))} as ${name}`,
    );
    return `select ${[...groups, ...sums].join(', ')} from ${calls.rows}${by}`;
  }
  const additive = measures as AdditiveMeasure[];
  const part = ({ rows }: CallsSource, addend: (name: AdditiveMeasure) => string): string =>
    `select ${[...groups, ...additive.map((name) => `${addend(name)} as ${name}`)].join(', ')} from ${rows}`;
  // A part for each piece: a store skips what lies outside a range, but not what lies outside one of two.
  const parts = pieces.map(({ from, to, rollup }) => {
    if (!rollup) return part(source('generation', between(from, to)), addendSql);
    const bound = (ms: number): string => `cast(${parameters.add(ms / rollup.lengthMs)} as int)`;
    return part(
      source(rollup.table, `${rollup.time} >= ${bound(from)} and ${rollup.time} < ${bound(to)}`),
      (name) => `g.${name}`,
    );
  });
  // Added up once, behind all parts: each aggregation more takes a third of a small answer's time to plan.
  return `select ${[...names, ...measures.map((name) => `coalesce(sum(${name}), 0) as ${name}`)].join(', ')} from (${parts.join(' union all ')}) parts${by}`;
}

/** Whether there may be as many groups as there are end users. */
const hasManyGroups = ({ dimensions }: AnalyticsPlan): boolean =>
  dimensions.includes('external_user') || dimensions.includes('generation_id');

/** The first of each length that tells apart what the plan asks for. */
function fittingRollups(plan: AnalyticsPlan, measures: readonly Measure[], { rollups }: StoreDialect): Rollup[] {
  if (plan.granularity === 'minute' || !measures.every(isAdditive)) return [];
  const needed = [...plan.dimensions, ...plan.filters.map(({ field }) => field)];
  const fitting = rollups.filter(({ dimensions }) => needed.every((dimension) => dimensions.has(dimension)));
  return fitting.filter(({ lengthMs }, index) => fitting.findIndex((each) => each.lengthMs === lengthMs) === index);
}
