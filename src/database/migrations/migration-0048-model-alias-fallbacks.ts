import { Migration } from '@mikro-orm/migrations';

/** The fallback models of an alias, in their order. */
const STATEMENTS: readonly string[] = [`alter table model_alias add column fallbacks text[] not null default '{}'`];

export class Migration0048ModelAliasFallbacks extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}
