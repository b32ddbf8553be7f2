import type { AnalyticsPlan } from '../analytics-query.js';
import type { Metric } from '../analytics-vocabulary.js';
import { FORMULAS } from './measures.js';
import { measuredSql } from './measured-sql.js';
import { Parameters, type KnownSpans, type Statement } from './statement.js';
import type { StoreDialect } from './store-dialect.js';

/**
 * Column names of a result: `bucket`, `v0…` for dimensions, `m0…` for metrics (money as text), `total` with a group
 * limit.
 */
export const COLUMN = {
  bucket: 'bucket',
  dimension: (index: number): string => `v${index}`,
  metric: (index: number): string => `m${index}`,
  total: 'total',
} as const;

/** The order may need request_count even if it is not requested. */
const metricsNeeded = (plan: AnalyticsPlan): readonly Metric[] =>
  plan.order.by === 'request_count' && !plan.metrics.includes('request_count')
    ? [...plan.metrics, 'request_count']
    : plan.metrics;

/** Converts a plan to one SQL statement, which returns one row more than the limit if there are more rows. */
export function planSql(plan: AnalyticsPlan, dialect: StoreDialect, spans: KnownSpans = new Map()): Statement {
  const parameters = new Parameters(dialect.writesNumbers);
  const metrics = metricsNeeded(plan);
  const order = orderSql(plan, metrics);
  const values = [
    ...(plan.granularity ? ['bucket'] : []),
    ...plan.dimensions.map((_, index) => COLUMN.dimension(index)),
  ];
  const shown = [...values, ...plan.metrics.map((metric, index) => shownSql(metric, index))];
  const measured = measuredSql(plan, metrics, { dialect, parameters, spans });
  const figures = metrics.map((metric, index) => `${FORMULAS[metric].sql} as x${index}`);
  const columns = [...valuesSql(plan, dialect), ...figures].join(', ');
  let from = `(select ${columns} from (${measured}) m${directoriesSql(plan, dialect)}) valued`;
  if (plan.groupLimit !== null) {
    const combination = plan.dimensions.map((_, index) => `d${index}`).join(', ');
    shown.push('cast(total as double precision) as total');
    const place = `row_number() over (partition by ${combination}${order}) as place`;
    from =
      `(select *, count(*) over () as total, ${place} from ${from}) ranked ` +
      `where place <= ${parameters.add(plan.groupLimit)}`;
  }
  return {
    text: `select ${shown.join(', ')} from ${from}${order} limit ${parameters.add(plan.limit + 1)}`,
    values: parameters.values,
  };
}

/** Texts are joined after the grouping, once for each group instead of once for each call. */
const directoriesSql = (plan: AnalyticsPlan, dialect: StoreDialect): string =>
  plan.dimensions
    .map((dimension, index) => {
      const { directory } = dialect.columns[dimension];
      return directory
        ? ` left join (select ${directory.code} as code, ${directory.value} as value from ${directory.table})` +
            ` n${index} on n${index}.code = m.d${index}`
        : '';
    })
    .join('');

/** The bucket and the dimension values of the result. */
const valuesSql = (plan: AnalyticsPlan, dialect: StoreDialect): string[] => [
  ...(plan.granularity ? [`${dialect.bucketStart(plan.granularity, 'm.bucket')} as bucket`] : []),
  ...plan.dimensions.flatMap((dimension, index) => {
    const { directory, type } = dialect.columns[dimension];
    const value = directory ? `n${index}.value` : `m.d${index}`;
    return [
      `m.d${index}`,
      `${directory || type === 'text' ? dialect.byCodePoint(value) : value} as ${COLUMN.dimension(index)}`,
    ];
  }),
];

// In the statement, a metric is the column x0…, because the order must not use the text of money.
const shownSql = (metric: Metric, index: number): string =>
  `${FORMULAS[metric].money ? `cast(x${index} as text)` : `x${index}`} as ${COLUMN.metric(index)}`;

/** The clause for a total order, so that limits always cut at the same row. Empty if the result is a single row. */
function orderSql(plan: AnalyticsPlan, metrics: readonly Metric[]): string {
  const direction = plan.order.descending ? 'desc' : 'asc';
  const dimension = plan.dimensions.findIndex((name) => name === plan.order.by);
  const metric = metrics.findIndex((name) => name === plan.order.by);
  const first = plan.order.by === 'date' ? 'bucket' : dimension >= 0 ? COLUMN.dimension(dimension) : `x${metric}`;
  const terms = [
    `${first} ${direction} nulls last`,
    ...(plan.granularity && first !== 'bucket' ? ['bucket desc'] : []),
    ...plan.dimensions
      .map((_, index) => COLUMN.dimension(index))
      .filter((column) => column !== first)
      .map((column) => `${column} asc nulls last`),
  ];
  return plan.granularity || plan.dimensions.length > 0 ? ` order by ${terms.join(', ')}` : '';
}
