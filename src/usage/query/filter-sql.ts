import type { PlannedFilter } from '../analytics-query.js';
import { DIMENSIONS, type DimensionWord, type Operator } from '../analytics-vocabulary.js';
import { Parameters } from './parameters.js';
import type { CodeSpan, Statement } from './statement.js';
import type { Directory, StoreDialect, ValueType } from './store-dialect.js';

type PositiveOperator = Exclude<Operator, 'neq' | 'not_in'>;

const COMPARISON: Readonly<Record<Exclude<PositiveOperator, 'in'>, string>> = {
  eq: '=',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};
/** What a negative operator leaves out, said positively. */
const positiveOf = (operator: Operator): PositiveOperator =>
  operator === 'neq' ? 'eq' : operator === 'not_in' ? 'in' : operator;

/** What a filter adds to a statement. */
export interface Narrowing {
  readonly condition?: string;
  readonly join?: string;
}

/** The statement that finds the span of a filter; undefined where the filter is not over texts. Only for stores with 0 for no text. */
export function spanSql(filter: PlannedFilter, dialect: StoreDialect): Statement | undefined {
  const { directory } = dialect.columns[filter.field];
  if (!directory) return undefined;
  const parameters = new Parameters(dialect.writesNumbers);
  const text = `select min(code) as first, max(code) as last, count(*) as codes from (${passingSql(filter, directory, dialect, parameters)}) passing`;
  return { text, values: parameters.values };
}

/**
 * A filter by the codes that pass it, known beforehand: a store compares with two bounds several times faster than it looks a code up,
 * and looks it up in a joined table twice as fast as in a sub-select.
 */
export function narrowBySpan(
  filter: PlannedFilter,
  name: string,
  span: CodeSpan,
  dialect: StoreDialect,
  parameters: Parameters,
): Narrowing {
  const { code, directory } = dialect.columns[filter.field];
  if (span.first === null || span.last === null) return { condition: 'false' };
  if (span.codes === span.last - span.first + 1)
    return {
      condition: `(${code} >= cast(${parameters.add(span.first)} as int) and ${code} <= cast(${parameters.add(span.last)} as int))`,
    };
  return { join: `join (${passingSql(filter, directory!, dialect, parameters)}) ${name} on ${name}.code = ${code}` };
}

/** The condition of one filter. */
export function filterSql(filter: PlannedFilter, dialect: StoreDialect, parameters: Parameters): string {
  const column = dialect.columns[filter.field];
  const { directory } = column;
  const positive = positiveOf(filter.operator);
  const match = directory
    ? `(${column.code} in (select ${directory.code} from ${directory.table} where ${matchingTextSql(filter, directory, dialect, parameters)}))`
    : positive === 'in' && isClosed(filter)
      ? membershipSql(column.code, filter.values as readonly number[], parameters)
      : comparisonSql(column.code, column.type, positive, filter, dialect, parameters);
  // `null not in (nothing)` is true in SQL, but a call without a value matches only where asked for.
  const condition = positive === filter.operator ? match : `(not (${dialect.isUnset(column)}) and not ${match})`;
  return filter.includeUnset ? `(${condition} or ${dialect.isUnset(column)})` : condition;
}

const isClosed = ({ field }: PlannedFilter): boolean => (DIMENSIONS[field] as DimensionWord).values !== undefined;

/** Whether a place in a closed list is one of some, as a bit of a number: stores take three times as long over a list of numbers. */
function membershipSql(code: string, places: readonly number[], parameters: Parameters): string {
  const bits = places.reduce((sum, place) => sum | (1 << place), 0);
  return `(((cast(${parameters.add(bits)} as int) >> ${code}) & 1) = 1)`;
}

/** The codes that pass a filter, each once. */
function passingSql(
  filter: PlannedFilter,
  directory: Directory,
  dialect: StoreDialect,
  parameters: Parameters,
): string {
  const isNegative = positiveOf(filter.operator) !== filter.operator;
  const passing = `select ${directory.code} as code from ${directory.table} where ${matchingTextSql(filter, directory, dialect, parameters, isNegative)}`;
  return filter.includeUnset ? `${passing} union all select 0` : passing;
}

function matchingTextSql(
  filter: PlannedFilter,
  { where, value }: Directory,
  dialect: StoreDialect,
  parameters: Parameters,
  not = false,
): string {
  return `${where ? `${where} and ` : ''}${not ? 'not ' : ''}${comparisonSql(value, 'text', positiveOf(filter.operator), filter, dialect, parameters)}`;
}

function comparisonSql(
  code: string,
  type: ValueType,
  operator: PositiveOperator,
  filter: PlannedFilter,
  dialect: StoreDialect,
  parameters: Parameters,
): string {
  if (operator === 'in') return `(${dialect.memberOf(code, parameters.add(dialect.list(filter.values)), type)})`;
  const expression = type === 'text' && operator !== 'eq' ? dialect.byCodePoint(code) : code;
  return `(${expression} ${COMPARISON[operator]} cast(${parameters.add(filter.values[0])} as ${type}))`;
}
