import { Migration } from '@mikro-orm/migrations';

/** The list of an account's keys, newest first, and what former secrets are recognised by. */
const STATEMENTS: readonly string[] = [
  `create index api_key_listed on api_key (account_id, created_at desc, no desc)
    where deleted_at is null and intern_id is null and console_session_id is null`,
  // Null for secrets that were replaced before.
  'alter table key_alias add column label text',
];

export class Migration0058KeyList extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}
