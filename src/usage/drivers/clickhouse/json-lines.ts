import { FED_VALUES, orZero } from '../../feed/fed-values.js';
import type { FedLines } from '../../feed/usage-feed.js';
import { LABEL_COLUMNS } from '../../query/label-columns.js';

/** The values of a line, in the order of the columns after `block` in clickhouse-schema.ts. The first is the id. */
const VALUES: readonly string[] = [
  'g.id',
  FED_VALUES.created_ms,
  'g.cost',
  FED_VALUES.upstream_cost,
  'g.account_no',
  'g.workspace_no',
  `coalesce(of_workspace.id::text, '')`,
  'g.key_no',
  'of_key.creator_user_id',
  'of_model.value',
  `coalesce(nullif(split_part(of_model.value, ':', 2), ''), 'standard')`,
  ...LABEL_COLUMNS.slice(1).map((name) => `of_${name}.value`),
  'g.tokens_prompt',
  'g.tokens_completion',
  ...['tokens_reasoning', 'tokens_cached', 'characters'].map(orZero),
  'g.latency_ms',
  'g.duration_ms',
  'g.status',
  orZero('images'),
  FED_VALUES.modality,
  'g.is_byok',
];

const ID_START = '["'.length;
const ID_LENGTH = 36;

/**
 * The line of a call is a JSON array with the texts of the call. The line never changes, because it omits the hash of
 * the key, the only text that can change.
 */
export const JSON_LINES: FedLines = {
  line: `json_build_array(${VALUES.join(', ')})::text`,
  joins: [
    'left join workspace of_workspace on of_workspace.no = g.workspace_no',
    'left join api_key of_key on of_key.no = g.key_no',
    ...LABEL_COLUMNS.map((name) => `left join usage_label of_${name} on of_${name}.id = g.${name}`),
  ].join(' '),
  idOf: (line) => line.slice(ID_START, ID_START + ID_LENGTH),
  pageRows: 50_000,
};

/** The time of the call in a line, in milliseconds since 1970. */
export function timeOfLine(line: string): number {
  const start = line.indexOf(',') + 1;
  return Number(line.slice(start, line.indexOf(',', start)));
}
