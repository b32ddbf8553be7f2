import type { Sql } from '../../../src/database/sql.js';

/** Limits pg_class `c` to our schema, without the daily partitions, which the running service creates. */
const OURS = `c.relnamespace = 'public'::regnamespace and c.relname !~ '^generation_\\d{8}'`;

/** The same content as `pg_dump --schema-only`, one line per object, by kind. */
const QUERIES: Readonly<Record<string, string>> = {
  relations: `select format('%s %s %s %s %s %s', c.relname, c.relkind, c.relpersistence, c.reloptions, c.relreplident,
      case when c.relkind = 'p' then pg_get_partkeydef(c.oid) else pg_get_expr(c.relpartbound, c.oid) end) as line
    from pg_class c where ${OURS}`,
  // Numbered without dropped columns, as in a dump.
  columns: `select format('%s %s %s %s %s %s %s %s %s %s', c.relname,
      row_number() over (partition by c.oid order by a.attnum), a.attname, format_type(a.atttypid, a.atttypmod),
      a.attnotnull, a.attidentity, a.attgenerated, pg_get_expr(d.adbin, d.adrelid),
      nullif(a.attcollation, t.typcollation)::regcollation, a.attstorage::text || a.attcompression::text) as line
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where ${OURS} and c.relkind in ('r', 'p', 'c')`,
  constraints: `select format('%s %s %s %s', c.relname, n.conname, n.convalidated, pg_get_constraintdef(n.oid)) as line
    from pg_constraint n join pg_class c on c.oid = n.conrelid where ${OURS}`,
  indexes: `select pg_get_indexdef(c.oid) as line from pg_class c where ${OURS} and c.relkind in ('i', 'I')`,
  triggers: `select format('%s %s', g.tgenabled, pg_get_triggerdef(g.oid)) as line
    from pg_trigger g join pg_class c on c.oid = g.tgrelid where ${OURS} and not g.tgisinternal`,
  functions: `select format('%s %s', pg_get_functiondef(p.oid), p.proacl) as line
    from pg_proc p where p.pronamespace = 'public'::regnamespace`,
  types: `select format('%s %s', typname, typtype) as line
    from pg_type where typnamespace = 'public'::regnamespace and typname !~ 'generation_\\d{8}'`,
  sequences: `select format('%s %s %s %s %s %s %s owned by %s.%s', c.relname, s.seqtypid::regtype, s.seqstart,
      s.seqincrement, s.seqmin, s.seqmax, s.seqcycle, d.refobjid::regclass, d.refobjsubid::int > 0) as line
    from pg_class c join pg_sequence s on s.seqrelid = c.oid
      left join pg_depend d on d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
    where ${OURS}`,
  comments: `select format('%s %s %s %s', classoid::regclass, objoid, objsubid, description) as line
    from pg_description where objoid >= 16384`,
  privileges: `select format('%s %s', c.relname, c.relacl) as line
    from pg_class c where ${OURS} and c.relacl is not null`,
  extensions: `select extname::text as line from pg_extension`,
};

/** The schema of a database as sorted lines. Equal for two databases whose dumps are equal. */
export async function schemaText(sql: Sql): Promise<Record<string, string[]>> {
  const text: Record<string, string[]> = {};
  for (const [kind, query] of Object.entries(QUERIES)) {
    const rows = await sql.query<{ line: string }>(query);
    text[kind] = rows.map(({ line }) => line).toSorted();
  }
  return text;
}
