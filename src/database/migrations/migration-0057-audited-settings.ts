import { Migration } from '@mikro-orm/migrations';

/** The settings that an action changed, with old and new values (src/audit/setting-changes.ts); null = not recorded. */
const STATEMENTS: readonly string[] = ['alter table audit_entry add column changes jsonb'];

export class Migration0057AuditedSettings extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}
