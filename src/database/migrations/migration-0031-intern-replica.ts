import { Migration } from '@mikro-orm/migrations';

/** Where the replica that holds an intern is reached, as it said when it took the lease. */
export class Migration0031InternReplica extends Migration {
  override up(): void {
    this.addSql('alter table intern add column replica_url text');
  }
}
