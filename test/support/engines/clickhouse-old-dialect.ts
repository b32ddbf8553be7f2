import type { ClickHouseRequest } from './clickhouse-request.js';

/**
 * Translates a request of the service's client to the dialect of ClickHouse 18.16. The engine clauses with their
 * settings, `on cluster`, the path of the replicas, the sharding key and the settings of inserts and of deduplication
 * remain unchanged. The following are removed, or replaced by the text in parentheses: codecs; the types `Bool` (UInt8)
 * and `Int128` (Int64); `fromUnixTimestamp64Milli` (a division); `sync` of a drop (removed: 18.16 drops immediately);
 * parameters (literals); lines of JSON arrays, as input (tab-separated values) and as output (one JSON document); the
 * settings in UNKNOWN_SETTINGS; lightweight deletes (a mutation); `clusterAllReplicas` (`cluster` with a cluster whose
 * shards are all servers).
 */
export interface OldRequest {
  readonly text: string;
  readonly data: string | undefined;
  readonly fields: readonly (readonly [string, string])[];
  /** Whether the result is a document with rows. */
  readonly hasRows: boolean;
}

/** A cluster in which each server of the other cluster is a shard. */
export const EACH_SERVER = 'each_server';

const UNKNOWN_SETTINGS = new Set([
  'async_insert',
  'input_format_parallel_parsing',
  'max_partitions_per_insert_block',
  'lightweight_deletes_sync',
]);

const ROWS_FORMAT = /\s*format JSONCompactEachRowWithNames\s*$/i;

export function oldRequest({ text, data, parameters, fields }: ClickHouseRequest): OldRequest {
  const hasRows = ROWS_FORMAT.test(text);
  return {
    text: hasRows
      ? `${oldStatement(text.replace(ROWS_FORMAT, ''), parameters)} format JSONCompact`
      : oldStatement(text.replace('format JSONCompactEachRow', 'format TabSeparated'), parameters),
    data: data && tabSeparated(data.toString()),
    fields: fields.filter(([name]) => !UNKNOWN_SETTINGS.has(name)),
    hasRows,
  };
}

function oldStatement(text: string, parameters: Readonly<Record<string, string>>): string {
  return text
    .replace(/ codec\([^)]*\)/g, '')
    .replace(/\bBool\b/g, 'UInt8')
    .replace(/Int128 alias toInt128\((\w+)\)/g, 'Int64 alias $1')
    .replace("fromUnixTimestamp64Milli(created_ms, 'UTC')", "toDateTime(intDiv(created_ms, 1000), 'UTC')")
    .replace(/ sync$/, '')
    .replace(/^delete from (.*) where /, 'alter table $1 delete where ')
    .replace(/clusterAllReplicas\(\S+, (\S+)\.(\S+)\)/, `cluster('${EACH_SERVER}', $1, $2)`)
    .replace(/\{(p\d+):([^}]+)\}/g, (_, name: string, type: string) => literal(parameters[name]!, type))
    .replace(/ in \(cast\(\[([^\]]*)\] as Array\(UUID\)\)\)/, (_, ids: string) => {
      const uuids = ids.split(',').map((id) => `toUUID(${id})`);
      return ` in (${uuids.join(', ')})`;
    });
}

const literal = (value: string, type: string): string =>
  type === 'String' ? `'${value.replaceAll("'", "\\'")}'` : value;

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n' };
type Value = string | number | boolean | null;
const field = (value: Value): string =>
  value === null
    ? '\\N'
    : typeof value === 'boolean'
      ? String(Number(value))
      : String(value).replace(/[\\\t\n]/g, (character) => ESCAPES[character]!);

const tabSeparated = (lines: string): string =>
  lines
    .split('\n')
    .map((line) => (JSON.parse(line) as Value[]).map(field).join('\t') + '\n')
    .join('');

/** The result as lines of JSON arrays, the first of them with the names of the columns. */
export function linesOfResult(document: string): string {
  const { meta, data } = JSON.parse(document) as { meta: { name: string }[]; data: unknown[][] };
  return [meta.map(({ name }) => name), ...data].map((row) => JSON.stringify(row) + '\n').join('');
}
