import { Migration } from '@mikro-orm/migrations';
import { BASELINE } from '../baseline/baseline.js';

/** Creates the schema of a new database. */
export class Migration0038Baseline extends Migration {
  override up(): void {
    for (const statement of BASELINE) this.addSql(statement);
  }
}
