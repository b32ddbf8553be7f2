import { Migration } from '@mikro-orm/migrations';

/**
 * What followers of the outbox need to know. A new `epoch` makes each of them build its store anew. Entries of transactions
 * before `trimmed_to` may be gone; `mark_xid` was the oldest transaction under way at `mark_at`, and is what the next
 * trimming goes up to, so that every entry lies there for at least the time between two.
 */
export class Migration0011UsageFeed extends Migration {
  override up(): void {
    this.addSql(`create table usage_feed (
      only_row boolean primary key default true check (only_row),
      epoch uuid not null default gen_random_uuid(),
      trimmed_to xid8 not null default '0',
      mark_xid xid8 not null default '0',
      mark_at timestamptz not null default now()
    )`);
    this.addSql('insert into usage_feed default values');
  }
}
