import { Migration } from '@mikro-orm/migrations';

/** The texts of a call whose key exports them, from the call until its record is written as an event. */
const CONTENT = `create table generation_content (
    generation_id uuid primary key,
    content jsonb not null,
    created_at timestamptz not null default clock_timestamp()
  )`;

/** Exported records may contain the texts of calls, which events hold no longer than a delivery is due. */
export class Migration0032GenerationContent extends Migration {
  override up(): void {
    this.addSql(CONTENT);
    this.addSql('create index generation_content_created_at on generation_content (created_at)');
    this.addSql('alter table event add column holds_content boolean not null default false');
    this.addSql('create index event_content on event (created_at) where holds_content');
  }
}
