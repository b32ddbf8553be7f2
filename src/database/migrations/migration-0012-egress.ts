import { Migration } from '@mikro-orm/migrations';

export class Migration0012Egress extends Migration {
  override up(): void {
    this.addSql(
      `create table "egress_authority" ("id" smallint not null, "certificate" text not null, "data_key_id" uuid not null, "sealed_key" bytea not null, "created_at" timestamptz not null, primary key ("id"), constraint "egress_authority_one" check (id = 1))`,
    );
  }
}
