import type { Dimension, Granularity } from '../../analytics-vocabulary.js';
import { contextBucketSql, fractionsOf, type Ranked } from '../../query/measures.js';
import type { DimensionColumn, StoreDialect, ValueType } from '../../query/store-dialect.js';

/**
 * The name of the common table expression that contains the hashes of keys. The hashes are parameters of the statement.
 */
export const KEY_HASHES = 'key_hashes';

const own = (code: string, type: ValueType = 'text'): DimensionColumn => ({ code, type });

const COLUMNS: Readonly<Record<Dimension, DimensionColumn>> = {
  model: own('g.model'),
  provider: own('g.provider'),
  external_user: own('g.external_user'),
  app: own('g.app'),
  origin: own('g.origin'),
  finish_reason: own('g.finish_reason'),
  variant: own('g.variant'),
  user: own('g.member'),
  api_key_id: { code: 'g.key_no', type: 'int', directory: { table: KEY_HASHES, code: 'no', value: 'hash' } },
  workspace: own('g.workspace'),
  modality: own('g.modality', 'int'),
  status: own('g.status', 'int'),
  // The id is text, because ClickHouse sorts a UUID by its second half.
  generation_id: own('g.id'),
  // Records have no country.
  country: own('cast(null as Nullable(String))'),
  context_length_bucket: own(`(${contextBucketSql('g.tokens_prompt')})`, 'int'),
};

const DAY_MS = 86_400_000;
const EPOCH = `toDate32('1970-01-01')`;
const days = `intDiv(g.created_ms, ${DAY_MS})`;

const BUCKETS: Readonly<Record<Granularity, { code: string; start: (code: string) => string }>> = {
  minute: { code: 'intDiv(g.created_ms, 60000)', start: (code) => `${code} * 60000` },
  hour: { code: 'intDiv(g.created_ms, 3600000)', start: (code) => `${code} * 3600000` },
  day: { code: days, start: (code) => `${code} * ${DAY_MS}` },
  // 1970 began on a Thursday.
  week: { code: `intDiv(${days} + 3, 7)`, start: (code) => `(${code} * 7 - 3) * ${DAY_MS}` },
  month: {
    code: `dateDiff('month', ${EPOCH}, addDays(${EPOCH}, ${days}))`,
    start: (code) => `toInt64(toInt32(addMonths(${EPOCH}, ${code}))) * ${DAY_MS}`,
  },
};

/**
 * With many groups, each group has few values, which are mostly different. A sorted list then costs less than a table
 * of counts. The formula gives the rank 0 only for a group without values, and the rank is then raised to 1.
 */
function ranksOfLists({ of, where, percents }: Ranked): string {
  const list = `arraySort(groupArray(${of}) filter (where ${where}))`;
  return `arrayMap(p -> ${list}[greatest(1, intDiv(length(${list}) * p + 99, 100))], [${percents.join(', ')}])`;
}

/**
 * The aggregate adds up weights until they reach a fraction of the total. With weights of 1, this is the nearest rank.
 */
const ranksOfCounts = ({ of, where, percents }: Ranked): string =>
  `quantilesExactWeighted(${fractionsOf(percents).slice(1, -1)})(${of}, 1) filter (where ${where})`;

/** The usage records in ClickHouse. A row contains its texts, so that a query reads only the rows of its account. */
export const CLICKHOUSE: StoreDialect = {
  columns: COLUMNS,
  writesNumbers: false,
  time: 'g.created_ms',
  joinsListedTexts: false,
  milliseconds: 'g.created_ms',
  moment: (ms) => ms,
  bucket: (granularity) => BUCKETS[granularity].code,
  bucketStart: (granularity, bucket) => BUCKETS[granularity].start(bucket),
  list: (values) => values.map(String),
  memberOf: (expression, parameter, type) => `${expression} in (cast(${parameter} as Array(${type})))`,
  bitAt: (bits, code) => `(bitTest(${bits}, ${code}) = 1)`,
  isUnset: ({ code }) => `${code} is null`,
  byCodePoint: (expression) => expression,
  countsLatencies: false,
  ranks: (ranked, manyGroups) => (manyGroups ? ranksOfLists(ranked) : ranksOfCounts(ranked)),
  rollups: [],
};
