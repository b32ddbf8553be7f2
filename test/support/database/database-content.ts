import type { Sql } from '../../../src/database/sql.js';

/**
 * Tables whose content a restore does not reproduce: the outbox and the positions of its readers, running replicas, the
 * count of budget changes, and the audit trail, to which the restore adds an entry.
 */
const NOT_COMPARED = [
  'outbox',
  'usage_feed',
  'usage_total_position',
  'export_position',
  'clickhouse_feed',
  'replica',
  'audit_entry',
  'budget_version',
];

/**
 * A digest of every table's rows, and the last value of each sequence: equal if two databases have the same content.
 */
export async function contentOf(sql: Sql): Promise<Record<string, string>> {
  const tables = await sql.query<{ name: string }>(
    `select relname as name
     from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname <> all ($1)
     order by 1`,
    [NOT_COMPARED],
  );
  const content: Record<string, string> = {};
  for (const { name } of tables) {
    const without = { migration: "- 'executed_at'", sql_family: "- 'applied_at'" }[name] ?? '';
    const [row] = await sql.query<{ digest: string }>(
      `select count(*) || ' rows, ' || coalesce(md5(string_agg(row::text, E'\\n' order by row::text)), '-')
         as digest
       from (select to_jsonb(t) ${without} as row from "${name}" t) rows`,
    );
    content[name] = row!.digest;
  }
  const sequences = await sql.query<{ name: string; last: string }>(
    `select sequencename as name, last_value::text as last
     from pg_sequences
     where schemaname = 'public' and sequencename !~ $1
     order by 1`,
    [`^(${NOT_COMPARED.join('|')})_`],
  );
  for (const { name, last } of sequences) content[`sequence ${name}`] = last;
  return content;
}

export async function countRows(
  sql: Sql,
  table: 'account' | 'generation' | 'outbox' | 'audit_entry' | 'master_key' | 'usage_total',
): Promise<number> {
  const [row] = await sql.query<{ count: number }>(`select count(*)::int as count from ${table}`);
  return row!.count;
}
