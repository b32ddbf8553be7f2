import { Migration } from '@mikro-orm/migrations';

/** The services that run on this database, as they announce themselves. */
export class Migration0035Replica extends Migration {
  override up(): void {
    this.addSql(
      `create table replica (
        id text primary key,
        started_at timestamptz not null,
        heartbeat_at timestamptz not null,
        schema_version text not null,
        master_key_ids text[] not null,
        opens_secrets boolean not null
      )`,
    );
  }
}
