import { Migration } from '@mikro-orm/migrations';

/** The lease of the process that feeds ClickHouse, and its progress. */
const STATEMENTS: readonly string[] = [
  // `seen` is null until a writer has started. The outbox keeps the entries that are not visible in `seen`. Only the
  // writer reads `state`.
  `create table clickhouse_feed (
    only_row boolean primary key default true check (only_row),
    holder uuid,
    held_until timestamptz not null default '-infinity',
    state jsonb,
    seen pg_snapshot,
    read_at timestamptz not null default now(),
    is_filling boolean,
    complete_to double precision,
    caught_up_at timestamptz
  )`,
  'insert into clickhouse_feed default values',
];

export class Migration0059ClickHouseFeed extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}
