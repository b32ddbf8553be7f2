import type { PlannedFilter } from '../analytics-query.js';
import type { Operator } from '../analytics-vocabulary.js';
import type { Parameters } from './parameters.js';
import type { DimensionColumn, StoreDialect, ValueType } from './store-dialect.js';

type PositiveOperator = Exclude<Operator, 'neq' | 'not_in'>;

const COMPARISON: Readonly<Record<Exclude<PositiveOperator, 'in'>, string>> = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' };
/** What a negative operator leaves out, said positively. */
const positiveOf = (operator: Operator): PositiveOperator => (operator === 'neq' ? 'eq' : operator === 'not_in' ? 'in' : operator);

/** The condition of one filter. */
export function filterSql(filter: PlannedFilter, dialect: StoreDialect, parameters: Parameters): string {
  const column = dialect.columns[filter.field];
  const positive = positiveOf(filter.operator);
  const match = matchSql(column, positive, filter, dialect, parameters);
  // `null not in (nothing)` is true in SQL, but a call without a value matches only where asked for.
  const condition = positive === filter.operator ? match : `(${column.code} is not null and not ${match})`;
  return filter.includeUnset ? `(${condition} or ${column.code} is null)` : condition;
}

function matchSql(column: DimensionColumn, operator: PositiveOperator, filter: PlannedFilter, dialect: StoreDialect, parameters: Parameters): string {
  const { directory } = column;
  if (!directory) return comparisonSql(column.code, column.type, operator, filter, dialect, parameters);
  const scope = directory.where ? `${directory.where} and ` : '';
  return `(${column.code} in (select ${directory.code} from ${directory.table} where ${scope}${comparisonSql(directory.value, 'text', operator, filter, dialect, parameters)}))`;
}

function comparisonSql(code: string, type: ValueType, operator: PositiveOperator, filter: PlannedFilter, dialect: StoreDialect, parameters: Parameters): string {
  if (operator === 'in') return `(${dialect.memberOf(code, parameters.add(dialect.list(filter.values)), type)})`;
  const expression = type === 'text' && operator !== 'eq' ? dialect.byCodePoint(code) : code;
  return `(${expression} ${COMPARISON[operator]} cast(${parameters.add(filter.values[0])} as ${type}))`;
}
