import { Migration } from '@mikro-orm/migrations';

/** Credentials towards providers that callers bring, and the one data key of each workspace that seals them. */
export class Migration0009Byok extends Migration {
  override up(): void {
    this.addSql(
      `create table "byok_credential" ("id" uuid not null, "account_id" uuid not null, "workspace_id" uuid not null, "provider" text not null, "name" text null, "label" text not null, "data_key_id" uuid not null, "sealed" bytea not null, "disabled" boolean not null, "is_fallback" boolean not null, "sort_order" int not null, "allowed_models" text[] null, "allowed_api_key_hashes" text[] null, "allowed_user_ids" text[] null, "created_at" timestamptz not null, "updated_at" timestamptz null, primary key ("id"))`,
    );
    this.addSql(`create index "byok_credential_account_id_index" on "byok_credential" ("account_id")`);
    this.addSql(
      `create index "byok_credential_workspace_id_provider_index" on "byok_credential" ("workspace_id", "provider")`,
    );
    this.addSql(`create table workspace_data_key (workspace_id uuid primary key, data_key_id uuid not null)`);
    // Inference remembers the credentials of a workspace until it hears of a change.
    this.addSql(`create function byok_credential_changed() returns trigger language plpgsql as $$
      begin
        perform pg_notify('byok_credential_changed', coalesce(new.workspace_id, old.workspace_id)::text);
        return null;
      end $$`);
    this.addSql(
      `create trigger byok_credential_changed after insert or update or delete on "byok_credential" for each row execute function byok_credential_changed()`,
    );
  }
}
