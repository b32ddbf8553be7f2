import { Migration } from '@mikro-orm/migrations';

/** Which settings an action changed, from what to what (src/audit/setting-changes.ts); null = it was not recorded. */
const STATEMENTS: readonly string[] = ['alter table audit_entry add column changes jsonb'];

export class Migration0057AuditedSettings extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}
