import type { Dimension, Granularity } from '../../analytics-vocabulary.js';
import { shiftedBit } from '../../query/filter-sql.js';
import { labelColumns } from '../../query/label-columns.js';
import { fractionsOf, percentileDisc, type Ranked } from '../../query/measures.js';
import type { DimensionColumn, StoreDialect, ValueType } from '../../query/store-dialect.js';
import { ROLLUPS } from './store-schema.js';

const text = (column: string): DimensionColumn => ({
  code: `g.${column}`,
  type: 'int',
  directory: { table: 'own_text', code: 'no', value: 'value' },
});
const own = (code: string, type: ValueType = 'int'): DimensionColumn => ({ code, type });

const COLUMNS: Readonly<Record<Dimension, DimensionColumn>> = {
  ...labelColumns('label'),
  variant: text('variant'),
  user: text('member'),
  api_key_id: { code: 'g.key_no', type: 'int', directory: { table: 'api_key', code: 'no', value: 'hash' } },
  workspace: { code: 'g.workspace_no', type: 'int', directory: { table: 'workspace', code: 'no', value: 'id' } },
  modality: own('g.modality'),
  status: own('g.status'),
  generation_id: own('g.id', 'uuid'),
  country: own('cast(null as text)', 'text'),
  context_length_bucket: own('g.context'),
};

// The hour and the month of a call are columns, because repeated numbers are compressed better and grouped faster than
// timestamps.
const BUCKETS: Readonly<Record<Granularity, { code: string; start: (code: string) => string }>> = {
  minute: { code: 'g.created_ms // 60000', start: (code) => `${code} * 60000` },
  hour: { code: 'g.hour', start: (code) => `cast(${code} as bigint) * 3600000` },
  day: { code: 'g.hour // 24', start: (code) => `cast(${code} as bigint) * 86400000` },
  // 1970 began on a Thursday.
  week: { code: '(g.hour // 24 + 3) // 7', start: (code) => `(cast(${code} as bigint) * 7 - 3) * 86400000` },
  month: {
    code: 'g.month',
    start: (code) => `epoch_ms(make_timestamp(${code} // 12, ${code} % 12 + 1, 1, 0, 0, 0.0))`,
  },
};

const LENGTH_MS = { day: 86_400_000, hour: 3_600_000, minute: 60_000 } as const;

/**
 * With many groups, the values of each group are first collected in a list, because a percentile aggregate for each
 * group takes a third longer. Most groups have fewer than 100 values. Their 99th percentile is the maximum.
 */
function ranksOfLists({ of, where, percents }: Ranked): string {
  const list = `list(${of}) filter (where ${where})`;
  const greatest = `list_max(${list})`;
  return (
    `case when len(${list}) * ${100 - Math.min(...percents)} < 100 then [${percents.map(() => greatest).join(', ')}] ` +
    `else list_aggregate(${list}, 'quantile_disc', ${fractionsOf(percents)}) end`
  );
}

/** The usage records in DuckDB. */
export const DUCKDB: StoreDialect = {
  columns: COLUMNS,
  // A statement with parameters is planned twice, and the planner does not know the time range. A small result then
  // takes 7 ms instead of 3 ms.
  writesNumbers: true,
  time: 'g.created_ms',
  joinsListedTexts: false,
  milliseconds: 'g.created_ms',
  moment: (ms) => BigInt(ms),
  bucket: (granularity) => BUCKETS[granularity].code,
  bucketStart: (granularity, bucket) => BUCKETS[granularity].start(bucket),
  list: (values) => JSON.stringify(values),
  memberOf: (expression, parameter, type) =>
    `${expression} in (select unnest(cast(cast(${parameter} as json) as ${type}[])))`,
  bitAt: shiftedBit,
  isUnset: ({ code, directory }) => (directory ? `${code} = 0` : `${code} is null`),
  byCodePoint: (expression) => expression,
  countsLatencies: true,
  ranks: (ranked, manyGroups) => (manyGroups ? ranksOfLists(ranked) : percentileDisc(ranked)),
  rollups: ROLLUPS.map(({ table, dimensions, hasLatencies, unit }) => ({
    table,
    dimensions,
    hasLatencies,
    lengthMs: LENGTH_MS[unit],
    time: `g.${unit}`,
  })),
};
