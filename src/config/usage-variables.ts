import { integer, oneOf } from './parsers.js';

/** Records of calls, and queries over them. */
export const USAGE_VARIABLES = {
  USAGE_LABELS_PER_ACCOUNT: {
    parse: integer(0, 100_000_000),
    default: '100000',
    doc:
      'How many different end users, different applications and different origins (each) usage records keep for one ' +
      'account; what comes beyond is recorded as "(other)".',
  },
  ANALYTICS_TIMEOUT_MS: {
    parse: integer(100, 600_000),
    default: '10000',
    doc: 'Deadline of an analytics query, in milliseconds; past it the query is cancelled and answers 408.',
  },
  ANALYTICS_CONCURRENCY: {
    parse: integer(1, 64),
    default: '2',
    doc: 'How many analytics queries run at once on this replica; others wait in line.',
  },
  ANALYTICS_STORE: {
    parse: oneOf('duckdb', 'postgres'),
    default: 'duckdb',
    doc:
      'What answers analytics queries: a columnar copy of the usage records in DATA_DIR, kept in step by a ' +
      'process of its own, or the records in PostgreSQL themselves.',
  },
  ANALYTICS_THREADS: { parse: integer(1, 256), default: '2', doc: 'Threads of the columnar analytics store.' },
  ANALYTICS_MEMORY_MB: {
    parse: integer(128, 1_048_576),
    default: '1024',
    doc: 'Most memory the columnar analytics store takes for its work, in MB; beyond it spills to DATA_DIR.',
  },
  USAGE_RETENTION_DAYS: {
    parse: integer(1, 36_500),
    doc: 'Days for which usage records are kept; older ones are removed for good, a day at a time. Absent: for ever.',
  },
} as const;
