import type { Statement } from '../../query/statement.js';

/** The table of calls, as queries and inserts name it. */
export const CALLS = 'generation';
/** On a cluster, the table with the calls of one shard. */
const SHARD = 'generation_shard';

/** The columns of an inserted call, in order: the number of its block, and then the values of JSON_LINES. */
const COLUMNS = `
  block UInt64 codec(Delta, ZSTD),
  uuid UUID codec(ZSTD),
  created_ms Int64 codec(Delta, ZSTD),
  cost_nano Int64 codec(T64, ZSTD),
  upstream_cost_nano Int64 codec(T64, ZSTD),
  account_no Int32 codec(Delta, ZSTD),
  workspace_no Int32 codec(ZSTD),
  workspace LowCardinality(String) codec(ZSTD),
  key_no Int32 codec(ZSTD),
  member LowCardinality(Nullable(String)) codec(ZSTD),
  model LowCardinality(Nullable(String)) codec(ZSTD),
  variant LowCardinality(String) codec(ZSTD),
  provider LowCardinality(Nullable(String)) codec(ZSTD),
  external_user LowCardinality(Nullable(String)) codec(ZSTD),
  app LowCardinality(Nullable(String)) codec(ZSTD),
  origin LowCardinality(Nullable(String)) codec(ZSTD),
  finish_reason LowCardinality(Nullable(String)) codec(ZSTD),
  tokens_prompt Int64 codec(T64, ZSTD),
  tokens_completion Int64 codec(T64, ZSTD),
  tokens_reasoning Int64 codec(T64, ZSTD),
  tokens_cached Int64 codec(T64, ZSTD),
  characters Int32 codec(T64, ZSTD),
  latency_ms Int32 codec(T64, ZSTD),
  duration_ms Int32 codec(T64, ZSTD),
  status Int16 codec(ZSTD),
  images Int16 codec(ZSTD),
  modality Int8 codec(ZSTD),
  is_byok Bool codec(ZSTD)`;

/**
 * Columns that are computed when they are read. They have the names that queries use. Amounts have 128 bits, because
 * sums of 64-bit integers overflow. The id is text, because a UUID is not sorted like its text.
 */
const COMPUTED = `,
  id String alias toString(uuid),
  cost Int128 alias toInt128(cost_nano),
  upstream_cost Int128 alias toInt128(upstream_cost_nano)`;

/**
 * Rows are sorted by account and time, because a query reads a time window of one account, and a list reads the newest
 * calls of one account. The partitions are months, because retention deletes the oldest calls.
 */
const LAYOUT = `partition by toYYYYMM(fromUnixTimestamp64Milli(created_ms, 'UTC'))
  order by (account_no, created_ms, uuid)`;

/**
 * The number of inserted blocks whose digests a table keeps, enough for several hours. If such a block is inserted
 * again, it is not stored again.
 */
const REMEMBERED_BLOCKS = 10_000;
const REMEMBERED_SECONDS = 30 * 86_400;

export interface SchemaOptions {
  readonly database: string;
  /** The cluster that shards and replicates the table; undefined = one server. */
  readonly cluster: string | undefined;
}

const quoted = (name: string): string => `\`${name.replaceAll(/[\\`]/g, '\\$&')}\``;

/** The statements that create the tables unless they exist. The database must exist. */
export function creatingStatements({ database, cluster }: SchemaOptions): readonly string[] {
  if (cluster === undefined)
    return [
      `create table if not exists ${CALLS} (${COLUMNS}${COMPUTED}) engine = MergeTree ${LAYOUT} ` +
        `settings non_replicated_deduplication_window = ${REMEMBERED_BLOCKS}`,
    ];
  const onCluster = `on cluster ${quoted(cluster)}`;
  const shard = `${quoted(database)}.${quoted(SHARD)}`;
  return [
    `create table if not exists ${shard} ${onCluster} (${COLUMNS}${COMPUTED}) ` +
      `engine = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}') ${LAYOUT} ` +
      `settings replicated_deduplication_window = ${REMEMBERED_BLOCKS}, ` +
      `replicated_deduplication_window_seconds = ${REMEMBERED_SECONDS}`,
    `create table if not exists ${quoted(database)}.${CALLS} ${onCluster} as ${shard} ` +
      `engine = Distributed(${[cluster, database, SHARD].map(quoted).join(', ')}, account_no)`,
  ];
}

/** The statements that remove the tables and everything in them. */
export function removingStatements({ database, cluster }: SchemaOptions): readonly string[] {
  if (cluster === undefined) return [`drop table if exists ${CALLS} sync`];
  return [CALLS, SHARD].map(
    (table) => `drop table if exists ${quoted(database)}.${quoted(table)} on cluster ${quoted(cluster)} sync`,
  );
}

/**
 * Counts the reachable replicas of a cluster that may lack calls that another replica confirmed. A replica has all
 * calls if it has read the whole log of its shard and has fetched every part that the log names. An empty log and a log
 * with one unread entry have the same numbers, so neither is counted.
 */
export function laggingReplicas({ database, cluster }: SchemaOptions): Statement {
  return {
    text:
      `select count(*) as lagging from clusterAllReplicas(${quoted(cluster!)}, system.replicas) ` +
      `where database = $1 and table = $2 and (is_readonly or is_session_expired or inserts_in_queue > 0 ` +
      'or (log_pointer <= log_max_index and log_max_index > 0))',
    values: [database, SHARD],
  };
}

/** The table function that reads the calls of all replicas of a cluster. */
export const callsOfAllReplicas = ({ database, cluster }: SchemaOptions): string =>
  `clusterAllReplicas(${quoted(cluster!)}, ${quoted(database)}.${quoted(SHARD)})`;

/**
 * Counts the servers of a cluster without `internal_replication`. Without this setting, an insert needs every server.
 * With it, an insert needs one replica, from which the other replicas copy.
 */
export function serversWithoutInternalReplication({ cluster }: SchemaOptions): Statement {
  return {
    text: 'select count(*) as servers from system.clusters where cluster = $1 and internal_replication = 0',
    values: [cluster!],
  };
}

/** The statement that deletes calls before a time in milliseconds. */
export function deletingStatement({ database, cluster }: SchemaOptions, before: number): string {
  const target = cluster === undefined ? CALLS : `${quoted(database)}.${quoted(SHARD)} on cluster ${quoted(cluster)}`;
  return `delete from ${target} where created_ms < ${Math.floor(before)}`;
}
