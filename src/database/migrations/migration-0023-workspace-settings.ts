import { Migration } from '@mikro-orm/migrations';

export class Migration0023WorkspaceSettings extends Migration {
  override up(): void {
    this.addSql('alter table workspace add column default_max_output_tokens int');
  }
}
