import type { Dimension } from '../../analytics-vocabulary.js';
import { shiftedBit } from '../../query/filter-sql.js';
import { labelColumns } from '../../query/label-columns.js';
import { contextBucketSql, percentileDisc } from '../../query/measures.js';
import type { DimensionColumn, StoreDialect } from '../../query/store-dialect.js';

const COLUMNS: Readonly<Record<Dimension, DimensionColumn>> = {
  ...labelColumns('usage_label'),
  variant: {
    code: `coalesce(nullif(split_part(model_label.value, ':', 2), ''), 'standard')`,
    type: 'text',
    join: 'left join usage_label model_label on model_label.id = g.model',
  },
  api_key_id: { code: 'g.key_no', type: 'int', directory: { table: 'api_key', code: 'no', value: 'hash::text' } },
  user: {
    code: 'key_used.creator_user_id::text',
    type: 'text',
    join: 'left join api_key key_used on key_used.no = g.key_no',
  },
  workspace: { code: 'g.workspace_no', type: 'int', directory: { table: 'workspace', code: 'no', value: 'id::text' } },
  modality: { code: '(g.modality - 1)', type: 'int' },
  status: { code: 'cast(g.status as int)', type: 'int' },
  generation_id: { code: 'g.id', type: 'uuid' },
  // Records have no country.
  country: { code: 'cast(null as text)', type: 'text' },
  context_length_bucket: {
    code: `(${contextBucketSql('g.tokens_prompt')})`,
    type: 'int',
  },
};

/** The usage records in PostgreSQL. */
export const POSTGRES: StoreDialect = {
  columns: COLUMNS,
  writesNumbers: false,
  time: 'g.created_at',
  joinsListedTexts: true,
  milliseconds: 'extract(epoch from g.created_at) * 1000',
  moment: (ms) => new Date(ms),
  bucket: (granularity) => `date_trunc('${granularity}', g.created_at, 'UTC')`,
  bucketStart: (_granularity, bucket) => `cast(extract(epoch from ${bucket}) * 1000 as bigint)`,
  list: (values) => values.map(String),
  memberOf: (expression, parameter, type) => `${expression} = any(cast(${parameter} as ${type}[]))`,
  bitAt: shiftedBit,
  isUnset: ({ code }) => `${code} is null`,
  byCodePoint: (expression) => `(${expression}) collate "C"`,
  countsLatencies: true,
  ranks: percentileDisc,
  rollups: [],
};
