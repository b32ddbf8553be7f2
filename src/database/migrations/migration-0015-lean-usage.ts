import { Migration } from '@mikro-orm/migrations';

/**
 * Makes a usage record small enough: at most 170 bytes with its index. A quantity that most calls lack is absent instead of 0, and
 * what the vendor charged is absent where it is the cost itself, because what is absent takes no space. Records are found by their id, whose time names the partition: a primary key would have to repeat that
 * time in every entry. That a call is recorded once is the work of its reservation, which is finished once.
 */
export class Migration0015LeanUsage extends Migration {
  override up(): void {
    for (const column of ['upstream_cost', 'tokens_reasoning', 'tokens_cached', 'characters', 'images'])
      this.addSql(`alter table generation alter column ${column} drop not null`);
    this.addSql('alter table generation drop constraint generation_pkey');
    this.addSql('alter table generation alter column id set not null, alter column created_at set not null');
    this.addSql('create index generation_id on generation (id)');
  }
}
