import { Migration } from '@mikro-orm/migrations';

/** End users, the settings and the soft deletion of workspaces, and when keys were last used. */
export class Migration0006AccountResources extends Migration {
  override up(): void {
    // Tracking ids are compared byte by byte: case, accents and Unicode forms all tell them apart.
    this.addSql(
      `create table "end_user" ("account_id" uuid not null, "tracking_id" text collate "C" not null, "is_active" boolean not null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "tracking_id"))`,
    );
    this.addSql(`create index "end_user_newest" on "end_user" ("account_id", "created_at" desc, "tracking_id")`);
    this.addSql(`create table key_use (key_no int primary key, used_at timestamptz not null) with (fillfactor = 70)`);
    this.addSql(`alter table "workspace"
      add column "default_text_model" text null, add column "default_image_model" text null, add column "default_provider_sort" text null,
      add column "io_logging_enabled" boolean not null default false, add column "broadcast_enabled" boolean not null default false,
      add column "data_discount_logging_enabled" boolean not null default false, add column "io_logging_sampling_rate" double precision not null default 1,
      add column "io_logging_key_nos" int[] null, add column "deleted_at" timestamptz null`);
    // A deleted workspace keeps its row, for past usage to name it, and gives its slug back.
    this.addSql(`alter table "workspace" drop constraint "workspace_account_id_slug_unique"`);
    this.addSql(
      `create unique index "workspace_slug" on "workspace" ("account_id", "slug") where "deleted_at" is null`,
    );
  }
}
