import { clickHouseUrl, integer, matching, oneOf } from './schemas.js';

/** Variables of usage records and of queries over them. */
export const USAGE_VARIABLES = {
  USAGE_LABELS_PER_ACCOUNT: {
    schema: integer(0, 100_000_000),
    default: '100000',
    doc:
      'The maximum number of different end users that usage records keep for one account; the same maximum applies ' +
      'separately to applications and to origins. Further ones are recorded as "(other)".',
  },
  ANALYTICS_TIMEOUT_MS: {
    schema: integer(100, 600_000),
    default: '10000',
    doc: 'The timeout of an analytics query, in milliseconds. Then the query is cancelled and returns 408.',
  },
  ANALYTICS_CONCURRENCY: {
    schema: integer(1, 64),
    default: '2',
    doc: 'How many analytics queries run at the same time on this replica; others wait in a queue.',
  },
  ANALYTICS_STORE: {
    schema: oneOf('duckdb', 'postgres'),
    default: 'duckdb',
    doc:
      'The store that serves analytics queries: a columnar copy of the usage records in DATA_DIR, which a ' +
      'separate process updates, or the records in PostgreSQL. CLICKHOUSE_URL replaces both.',
  },
  CLICKHOUSE_URL: {
    schema: clickHouseUrl,
    secret: true,
    doc:
      'ClickHouse database for analytics, such as https://user:password@host:8443/gatehouse: it gets a ' +
      'copy of the usage records, which all replicas read instead of their own copies.',
  },
  CLICKHOUSE_CLUSTER: {
    schema: matching(/^[A-Za-z0-9_.-]{1,64}$/, 'the name of a cluster: letters, digits, _, . and -'),
    doc:
      'Name of the ClickHouse cluster over which the copy is sharded by account and replicated. If absent, the ' +
      'copy is only on the server of CLICKHOUSE_URL.',
  },
  ANALYTICS_THREADS: {
    schema: integer(1, 256),
    default: '2',
    doc: 'Threads of the columnar analytics store in DATA_DIR.',
  },
  ANALYTICS_MEMORY_MB: {
    schema: integer(128, 1_048_576),
    default: '1024',
    doc:
      'The maximum memory for queries of the columnar analytics store, in MB; beyond it, data is written ' +
      'to DATA_DIR. In ClickHouse, the maximum of one query.',
  },
  USAGE_RETENTION_DAYS: {
    schema: integer(1, 36_500),
    doc:
      'Days for which usage records are kept; older ones are deleted permanently, one day at a time. Absent: ' +
      'kept forever.',
  },
} as const;
