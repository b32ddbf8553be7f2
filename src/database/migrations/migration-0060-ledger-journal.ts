import { Migration } from '@mikro-orm/migrations';

/** The settlements of calls on credit leases that are durable but not posted to the balances yet. */
const STATEMENTS: readonly string[] = [
  // An entry has calls of one lease. Its texts are elements of array texts, without braces; the text of the tags is the
  // inside of a JSON object. Rows of up to 8 kB stay in the page, because compressing them takes longer than writing
  // them. Rows live for less than a second, so the table is vacuumed by their number.
  `create table ledger_journal (
    account_no int not null,
    at timestamptz not null default clock_timestamp(),
    no bigint generated always as identity,
    lease_id uuid not null,
    key_day text not null,
    open_count int not null,
    items text not null,
    usages text not null,
    details text not null,
    tags text,
    primary key (account_no, at, no)
  ) with (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 0,
    autovacuum_analyze_threshold = 1000000)`,
];

export class Migration0060LedgerJournal extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}
