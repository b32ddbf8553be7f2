import { Migration } from '@mikro-orm/migrations';

/** An index for the list of an account's keys, newest first, and labels that identify former secrets. */
const STATEMENTS: readonly string[] = [
  `create index api_key_listed on api_key (account_id, created_at desc, no desc)
    where deleted_at is null and intern_id is null and console_session_id is null`,
  // Null for secrets that were replaced before this migration.
  'alter table key_alias add column label text',
];

export class Migration0058KeyList extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}
