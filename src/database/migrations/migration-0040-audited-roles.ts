import { Migration } from '@mikro-orm/migrations';

/** The role that an audited action gave. */
const STATEMENTS: readonly string[] = ['alter table audit_entry add column role text'];

export class Migration0040AuditedRoles extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}
