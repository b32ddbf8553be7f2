import { Migration } from '@mikro-orm/migrations';

/** The response cache of a key, in seconds or off, and the call whose response another one reused. */
export class Migration0025ResponseCache extends Migration {
  override up(): void {
    this.addSql('alter table api_key add column response_cache_ttl_s int');
    this.addSql('alter table generation_detail add column response_cache_source_id uuid');
  }
}
