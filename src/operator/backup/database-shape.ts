import { escapeIdentifier, type Client } from 'pg';
import type { TableShape } from './backup-format.js';

/**
 * Tables whose rows are not copied. The header contains the migrations, and the service contains the SQL families. The
 * usage feed and the positions of the usage totals, of the export and of ClickHouse contain transaction numbers, which
 * are meaningless in another database. A restored database has a feed with a new epoch, so that followers rebuild their
 * stores from the records. The usage totals continue from the totals in the backup. The service writes the setting of
 * events at each start. The version of budgets counts the changes of this database only.
 */
const EXCLUDED_TABLES = [
  'migration',
  'sql_family',
  'replica',
  'outbox',
  'usage_feed',
  'usage_total_position',
  'export_position',
  'clickhouse_feed',
  'event_setting',
  'budget_version',
];

/**
 * All tables to copy, each after the tables to which its foreign keys refer. A partitioned table has one entry: its
 * parent.
 */
export async function readTables(client: Client): Promise<TableShape[]> {
  const { rows: tables } = await client.query<TableShape & { needs: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns,
       array(
         select distinct f.confrelid::regclass::text from pg_constraint f
         where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as needs
     from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> all ($1)
     group by c.oid, c.relname order by c.relname`,
    [EXCLUDED_TABLES],
  );
  const ordered: TableShape[] = [];
  while (ordered.length < tables.length) {
    const known = new Set(ordered.map(({ name }) => name));
    const next = tables.filter(({ name, needs }) => !known.has(name) && needs.every((needed) => known.has(needed)));
    if (next.length === 0) throw new Error('Tables refer to each other in a circle');
    ordered.push(...next.map(({ name, columns }) => ({ name, columns })));
  }
  return ordered;
}

/** The migrations, oldest first; undefined if the database does not contain our schema. */
export async function readMigrations(client: Client): Promise<string[] | undefined> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('public.migration') is not null as found`,
  );
  if (!rows[0]?.found) return undefined;
  return (await client.query<{ name: string }>('select name from migration order by id')).rows.map(({ name }) => name);
}

/** The last value of each sequence, by name. Unused sequences are absent. */
export async function readSequences(client: Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; last: string | null }>(
    `select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public'`,
  );
  return Object.fromEntries(rows.flatMap(({ name, last }) => (last === null ? [] : [[name, last]])));
}

/**
 * Sets one text format for values, independent of the server's settings, and turns JIT compilation off. Both settings
 * apply until the transaction ends (`set local`).
 */
export async function useOneNotation(client: Client): Promise<void> {
  await client.query(
    `set local timezone = 'UTC';
     set local datestyle = 'ISO, YMD';
     set local intervalstyle = 'postgres';
     set local bytea_output = 'hex';
     set local extra_float_digits = 1;
     set local jit = off`,
  );
}

export const quoted = escapeIdentifier;

export const columnsOf = (table: TableShape): string => table.columns.map(escapeIdentifier).join(', ');
