import type { Dimension } from '../../analytics-vocabulary.js';
import { ADDITIVE_MEASURES, contextBucketSql, sumSql } from '../../query/measures.js';

/** Increase this when anything below changes. A file with another version is rebuilt. */
export const STORE_VERSION = 9;

/**
 * The number of calls in a slice. A slice is sorted by end user, the dimension with the most values, so that a repeated
 * group is still in the processor's cache. This is the size of four of DuckDB's row groups. With one row group,
 * percentiles by end user take a third longer. With eight row groups, the edges of a window take a third longer.
 */
export const SLICE = 4 * 122_880;
const SLICE_ORDER = 'external_user, modality, model';

/**
 * The columns of a call in the CSV of the feed, in order. A missing text is the number 0, because columns without nulls
 * are read and grouped several times faster.
 */
export const FED_COLUMNS = {
  id: 'UUID',
  created_ms: 'BIGINT',
  cost: 'BIGINT',
  upstream_cost: 'BIGINT',
  account_no: 'INTEGER',
  workspace_no: 'INTEGER',
  key_no: 'INTEGER',
  model: 'INTEGER',
  provider: 'INTEGER',
  external_user: 'INTEGER',
  app: 'INTEGER',
  origin: 'INTEGER',
  finish_reason: 'INTEGER',
  tokens_prompt: 'BIGINT',
  tokens_completion: 'BIGINT',
  tokens_reasoning: 'BIGINT',
  tokens_cached: 'BIGINT',
  characters: 'INTEGER',
  latency_ms: 'INTEGER',
  duration_ms: 'INTEGER',
  status: 'SMALLINT',
  images: 'SMALLINT',
  modality: 'TINYINT',
  is_byok: 'BOOLEAN',
} as const;

const FED = Object.entries(FED_COLUMNS)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');

/**
 * Additive measures and their column types in the rollups. The nano-dollars of an hour fit in 64 bits, which are summed
 * far faster than 128 bits.
 */
const MEASURE_COLUMNS = ADDITIVE_MEASURES.map(
  (name) => `${name} ${name === 'throughput_sum' ? 'DOUBLE' : 'BIGINT'} not null`,
).join(', ');

/**
 * Sums per day, hour or minute, stored in addition to the calls. A cell is one row of a rollup. A rollup with many
 * columns would have as many cells as there are calls.
 */
interface RollupTable {
  readonly table: string;
  readonly unit: keyof typeof UNITS;
  /** The columns that, together with account and time, identify a cell. */
  readonly cells: readonly string[];
  /** Columns that depend on the cell columns. */
  readonly dependent: readonly string[];
  readonly dimensions: ReadonlySet<Dimension>;
  readonly hasLatencies?: boolean;
}

/** The SQL of the time column of a rollup, by its unit. */
const UNITS = {
  day: 'cast(g.hour // 24 as INTEGER)',
  hour: 'g.hour',
  minute: 'cast(g.created_ms // 60000 as INTEGER)',
} as const;
/** The SQL of the first hour of a rollup's period. */
const hourOf = (unit: keyof typeof UNITS): string => (unit === 'day' ? 'cast(g.hour // 24 * 24 as INTEGER)' : 'g.hour');

/** Ordered by size, the smallest first, because for each unit the first rollup that fits a query is used. */
export const ROLLUPS: readonly RollupTable[] = [
  {
    table: 'hourly_by_status',
    unit: 'hour',
    cells: ['status'],
    dependent: [],
    dimensions: new Set<Dimension>(['status']),
  },
  // For the edges of a window that begins or ends on a whole minute.
  {
    table: 'minutely_by_status',
    unit: 'minute',
    cells: ['status'],
    dependent: [],
    dimensions: new Set<Dimension>(['status']),
  },
  {
    table: 'hourly_by_outcome',
    unit: 'hour',
    cells: ['status', 'provider', 'modality'],
    dependent: [],
    dimensions: new Set<Dimension>(['status', 'provider', 'modality']),
  },
  {
    table: 'hourly',
    unit: 'hour',
    cells: ['workspace_no', 'model', 'modality'],
    dependent: ['variant'],
    dimensions: new Set<Dimension>(['workspace', 'model', 'variant', 'modality']),
  },
  {
    table: 'hourly_by_key',
    unit: 'hour',
    cells: ['key_no'],
    dependent: ['member'],
    dimensions: new Set<Dimension>(['api_key_id', 'user']),
  },
  // For percentiles over all calls. A rollup by hour would have nearly as many cells as there are calls.
  {
    table: 'daily_by_latency',
    unit: 'day',
    cells: ['latency_ms'],
    dependent: [],
    dimensions: new Set<Dimension>(),
    hasLatencies: true,
  },
];

const identity = ({ unit, cells }: RollupTable): string => ['account_no', unit, ...cells].join(', ');
/** All columns except the measures. Larger time buckets are computed from `hour` and `month`. */
const keysOf = ({ unit, cells, dependent }: RollupTable): readonly string[] => [
  ...new Set(['account_no', unit, 'hour', 'month', ...cells, ...dependent]),
];
const createRollup = (rollup: RollupTable): string =>
  `create table ${rollup.table} (${keysOf(rollup)
    .map((name) => `${name} INTEGER not null`)
    .join(', ')}, ${MEASURE_COLUMNS}, primary key (${identity(rollup)}));`;

export const CREATE_STORE = `
  create table generation (${FED}, hour INTEGER, month INTEGER, context TINYINT, variant INTEGER, member INTEGER);
${ROLLUPS.map(createRollup).join('\n  ')}
  create table label (id INTEGER primary key, kind TINYINT not null, value VARCHAR not null, variant INTEGER);
  create table api_key (no INTEGER primary key, hash VARCHAR not null, member INTEGER);
  create table workspace (no INTEGER primary key, id VARCHAR not null);
  create table own_text (no INTEGER primary key, value VARCHAR not null unique);
  create table progress (version INTEGER not null, position VARCHAR not null);
  create table layout (laid_out_to BIGINT not null);
  insert into layout values (0);
`;

/** The table expression that reads a file with CSV lines of the feed. */
export const fedRows = (file: string): string =>
  `read_csv('${file}', header = false, auto_detect = false, delim = ',', quote = '', escape = '', ` +
  `columns = {${Object.entries(FED_COLUMNS)
    .map(([name, type]) => `'${name}': '${type}'`)
    .join(', ')}})`;

/** Selects the new calls in `batch`. The feed delivers a call at least once, and each id is stored once. */
export const FRESH = `create or replace temp table fresh as
  select b.*, cast(b.created_ms // 3600000 as INTEGER) as hour,
    cast(year(epoch_ms(b.created_ms)) * 12 + month(epoch_ms(b.created_ms)) - 1 as INTEGER) as month,
    cast(${contextBucketSql('b.tokens_prompt')} as TINYINT) as context,
    coalesce(m.variant, 0) as variant, coalesce(k.member, 0) as member
  from (select distinct on (id) * from batch) b
  left join label m on m.id = b.model
  left join api_key k on k.no = b.key_no
  where not exists (
    select 1 from generation o where o.id = b.id and o.created_ms >= (select min(created_ms) from batch))
  order by ${SLICE_ORDER}`;

export const ADD_FRESH = 'insert into generation by name select * from fresh';

/** The table of keys in the store, not in PostgreSQL. */
const KEYS = 'api_key';
export const RENAME_KEYS = `update ${KEYS} set hash = renamed.row ->> '$[1]'
  from (select unnest(cast(cast($1 as json) as json[])) as row) renamed
  where ${KEYS}.no = cast(renamed.row ->> '$[0]' as INTEGER)`;

/** Run this after an insert. A batch of at least one slice is inserted in its final order and is not sorted again. */
export const NOTE_SLICE = `update layout set laid_out_to = (select cast(max(hour) as bigint) * 3600000 from fresh)
  where (select count(*) from fresh) >= ${SLICE}`;

/** Counts the calls of each hour in a range. */
export const CALLS_BY_HOUR = `select hour, cast(sum(calls) as double) as calls from ${ROLLUPS[0]!.table}
  where hour >= $1 // 3600000 and hour < $2 // 3600000 group by hour order by hour`;

/** Sorts the calls of a range into slice order. */
export const LAY_OUT: readonly string[] = [
  'create or replace temp table slice as select * from generation where created_ms >= $1 and created_ms < $2',
  'delete from generation where created_ms >= $1 and created_ms < $2',
  `insert into generation select * from slice order by ${SLICE_ORDER}`,
];

export const ADD_TO_ROLLUPS: readonly string[] = ROLLUPS.map((rollup) => {
  const keys = keysOf(rollup);
  const times: Record<string, string> = { hour: hourOf(rollup.unit), [rollup.unit]: UNITS[rollup.unit] };
  const columns = [
    ...keys.map((name) => `${times[name] ?? `g.${name}`} as ${name}`),
    ...ADDITIVE_MEASURES.map((name) => `${sumSql(name)} as ${name}`),
  ];
  const sums = ADDITIVE_MEASURES.map((name) => `${name} = ${name} + excluded.${name}`);
  return `insert into ${rollup.table} by name select ${columns.join(', ')}
    from fresh g group by ${keys.map((_, index) => index + 1).join(', ')}
    on conflict (${identity(rollup)}) do update set ${sums.join(', ')}`;
});
