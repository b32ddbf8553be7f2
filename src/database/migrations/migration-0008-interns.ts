import { Migration } from '@mikro-orm/migrations';

export class Migration0008Interns extends Migration {
  override up(): void {
    this.addSql(
      `create table "intern" ("id" uuid not null, "no" serial, "account_id" uuid not null, "workspace_id" uuid not null, "creator_user_id" uuid not null, "name" text not null, "description" text null, "instructions" text null, "model" text null, "status" text not null, "last_failure_message" text null, "progress_step" smallint null, "hostname" text null, "vault_id" uuid null, "attached_vault_id" uuid null, "loss_acknowledged" boolean not null, "fence" int not null, "worker" uuid null, "lease_until" timestamptz null, "wake_at" timestamptz null, "deadline" timestamptz null, "attempts" smallint not null, "booted_fence" int null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("id"))`,
    );
    this.addSql(`alter table "intern" add constraint "intern_no_unique" unique ("no")`);
    this.addSql(`alter table "intern" add constraint "intern_hostname_unique" unique ("hostname")`);
    this.addSql(
      `alter table "intern" add constraint "intern_workspace_id_creator_user_id_name_unique" unique ("workspace_id", "creator_user_id", "name")`,
    );
    this.addSql(`create index "intern_account_id_creator_user_id_index" on "intern" ("account_id", "creator_user_id")`);
    this.addSql(`create index "intern_attached_vault_id_index" on "intern" ("attached_vault_id")`);
    this.addSql(`create index "intern_wake" on "intern" ("wake_at") where wake_at is not null`);
    this.addSql(
      `create table "intern_creation" ("creator_user_id" uuid not null, "workspace_id" uuid not null, "key_hash" character(64) not null, "fingerprint" character(64) not null, "intern_id" uuid not null, "fence" int not null, "lease_until" timestamptz not null, "completed_at" timestamptz null, "created_at" timestamptz not null, primary key ("creator_user_id", "workspace_id", "key_hash"))`,
    );
    this.addSql(`create index "intern_creation_intern_id_index" on "intern_creation" ("intern_id")`);
    this.addSql(`create index "intern_creation_created_at_index" on "intern_creation" ("created_at")`);
    this.addSql(
      `create table "vault" ("id" uuid not null, "workspace_id" uuid not null, "intern_id" uuid null, "data_key_id" uuid not null, "created_at" timestamptz not null, primary key ("id"))`,
    );
    this.addSql(`alter table "vault" add constraint "vault_intern_id_unique" unique ("intern_id")`);
    this.addSql(`create unique index "vault_of_workspace" on "vault" ("workspace_id") where intern_id is null`);
    this.addSql(
      `create table "vault_secret" ("vault_id" uuid not null, "name" text not null, "hosts" text[] not null, "sealed" bytea not null, "fingerprint" text not null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("vault_id", "name"))`,
    );
    // Whoever changes an intern's fence, the replica that runs it hears of it at once.
    this.addSql(`create function intern_changed() returns trigger language plpgsql as $$
      begin
        if new.fence <> old.fence then perform pg_notify('intern_changed', new.id::text); end if;
        return null;
      end $$`);
    this.addSql(
      `create trigger intern_changed after update on "intern" for each row execute function intern_changed()`,
    );
  }
}
