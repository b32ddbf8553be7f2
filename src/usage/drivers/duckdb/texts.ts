import type { DuckDBConnection } from '@duckdb/node-api';
import { LABEL_KIND } from '../../generation-record.js';
import { LABEL_COLUMNS } from '../../query/label-columns.js';
import type { LabelText, TextSource } from './text-source.js';

const DEFAULT_VARIANT = 'standard';

/**
 * Adds the texts of the calls in `batch` that the store lacks. Each text is fetched once, because texts never change,
 * except for the hashes of keys, which the follower replaces.
 */
export async function addTexts(connection: DuckDBConnection, source: TextSource): Promise<void> {
  const missing = async (columns: readonly string[], table: string, key: string): Promise<number[]> => {
    const used = columns.map((column) => `select ${column} as no from batch where ${column} <> 0`).join(' union ');
    const reader = await connection.runAndReadAll(
      `select no from (${used}) used where no not in (select ${key} from ${table})`,
    );
    return reader.getRowObjects().map((row) => Number(row['no']));
  };
  const add = async (table: string, types: string, rows: readonly (readonly unknown[])[]): Promise<void> => {
    if (rows.length === 0) return;
    const columns = types.split(', ').map((type, index) => `cast(row ->> '$[${index}]' as ${type})`);
    await connection.run(
      `insert into ${table} select ${columns.join(', ')} from (select unnest(cast(cast($1 as json) as json[])) as row)`,
      [JSON.stringify(rows)],
    );
  };
  const ownTexts = async (values: readonly string[]): Promise<Map<string, number>> => {
    const reader = await connection.runAndReadAll('select no, value from own_text');
    const numbers = new Map(reader.getRowObjects().map((row) => [row['value'] as string, row['no'] as number]));
    const fresh = [...new Set(values)]
      .filter((value) => !numbers.has(value))
      .map((value, index) => [numbers.size + index + 1, value] as const);
    await add('own_text', 'INTEGER, VARCHAR', fresh);
    for (const [no, value] of fresh) numbers.set(value, no);
    return numbers;
  };

  const labels = await missing(LABEL_COLUMNS, 'label', 'id');
  if (labels.length > 0) {
    const found = await source.labels(labels);
    const variants = await ownTexts(found.filter(isModel).map(({ value }) => variantOf(value)));
    await add(
      'label',
      'INTEGER, TINYINT, VARCHAR, INTEGER',
      found.map((label) => [
        label.id,
        label.kind,
        label.value,
        isModel(label) ? variants.get(variantOf(label.value))! : null,
      ]),
    );
  }
  const keys = await missing(['key_no'], 'api_key', 'no');
  if (keys.length > 0) {
    const found = await source.keys(keys);
    const members = await ownTexts(found.flatMap(({ user }) => user ?? []));
    await add(
      'api_key',
      'INTEGER, VARCHAR, INTEGER',
      found.map(({ no, hash, user }) => [no, hash, user === null ? null : members.get(user)!]),
    );
  }
  const workspaces = await missing(['workspace_no'], 'workspace', 'no');
  if (workspaces.length > 0)
    await add(
      'workspace',
      'INTEGER, VARCHAR',
      (await source.workspaces(workspaces)).map(({ no, id }) => [no, id]),
    );
}

const isModel = ({ kind }: LabelText): boolean => kind === LABEL_KIND.model;
const variantOf = (model: string): string => model.split(':')[1] || DEFAULT_VARIANT;
