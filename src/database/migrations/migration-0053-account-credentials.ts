import { Migration } from '@mikro-orm/migrations';

/** Callers' credentials that serve every workspace of the account. */
const STATEMENTS: readonly string[] = [
  // Null = every workspace of the account.
  'alter table byok_credential alter column workspace_id drop not null',
  // Seals the credentials of the account that have no workspace.
  'create table account_data_key (account_id uuid primary key, data_key_id uuid not null)',
  // Inference caches the credentials of a workspace and of its account until it is notified of a change.
  `create or replace function byok_credential_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('byok_credential_changed', w.id::text) from workspace w
      where w.account_id = coalesce(new.account_id, old.account_id)
        and w.id = coalesce(new.workspace_id, old.workspace_id, w.id);
    return null;
  end $$`,
];

export class Migration0053AccountCredentials extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}
