import { Migration } from '@mikro-orm/migrations';

export class Migration0001Accounts extends Migration {
  override up(): void {
    this.addSql(
      `create table "account" ("id" uuid not null, "no" serial, "name" text not null, "created_at" timestamptz not null, primary key ("id"))`,
    );
    this.addSql(`alter table "account" add constraint "account_no_unique" unique ("no")`);
    this.addSql(
      `create table "app_user" ("id" uuid not null, "no" serial, "name" text not null, "email" text null, "created_at" timestamptz not null, primary key ("id"))`,
    );
    this.addSql(`alter table "app_user" add constraint "app_user_no_unique" unique ("no")`);
    this.addSql(`alter table "app_user" add constraint "app_user_email_unique" unique ("email")`);
    this.addSql(
      `create table "member" ("account_id" uuid not null, "user_id" uuid not null, "role" text not null, "in_interns_programme" boolean not null, "created_at" timestamptz not null, primary key ("account_id", "user_id"))`,
    );
    this.addSql(
      `create table "workspace" ("id" uuid not null, "no" serial, "account_id" uuid not null, "name" text not null, "slug" text not null, "description" text null, "is_default" boolean not null, "interns_allowed" boolean not null, "created_by" uuid null, "created_at" timestamptz not null, "updated_at" timestamptz null, primary key ("id"))`,
    );
    this.addSql(`alter table "workspace" add constraint "workspace_no_unique" unique ("no")`);
    this.addSql(
      `alter table "workspace" add constraint "workspace_account_id_slug_unique" unique ("account_id", "slug")`,
    );
    this.addSql(`create index "workspace_account_id_index" on "workspace" ("account_id")`);
    this.addSql(`create unique index "workspace_one_default" on "workspace" ("account_id") where is_default`);
    this.addSql(
      `create table "api_key" ("hash" character(64) not null, "no" serial, "account_id" uuid not null, "workspace_id" uuid not null, "key_class" text not null, "name" text not null, "label" text not null, "disabled" boolean not null, "limit_nano" bigint null, "limit_reset" text null, "include_byok_in_limit" boolean not null, "expires_at" timestamptz null, "creator_user_id" uuid null, "external_user" text null, "intern_id" uuid null, "created_at" timestamptz not null, "updated_at" timestamptz null, "deleted_at" timestamptz null, primary key ("hash"))`,
    );
    this.addSql(`alter table "api_key" add constraint "api_key_no_unique" unique ("no")`);
    this.addSql(`create index "api_key_account_id_index" on "api_key" ("account_id")`);
    this.addSql(`create index "api_key_workspace_id_index" on "api_key" ("workspace_id")`);
    this.addSql(`create index "api_key_intern_id_index" on "api_key" ("intern_id")`);
    // Whoever changes a key, every replica's cache hears of it: no writer can forget to tell.
    this.addSql(`create function api_key_changed() returns trigger language plpgsql as $$
      begin
        perform pg_notify('api_key_changed', coalesce(new.hash, old.hash));
        return null;
      end $$`);
    this.addSql(
      `create trigger api_key_changed after insert or update or delete on "api_key" for each row execute function api_key_changed()`,
    );
  }
}
