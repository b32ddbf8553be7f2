import { Migration } from '@mikro-orm/migrations';
import { BASELINE } from '../baseline/baseline.js';
import { isOldChain, UPGRADE } from '../old-chain.js';

/** Creates the schema of a new database, or upgrades a database of the old chain to the same schema. */
export class Migration0021Baseline extends Migration {
  override async up(): Promise<void> {
    const rows = (await this.execute('select name from migration order by id')) as { name: string }[];
    for (const statement of isOldChain(rows.map(({ name }) => name)) ? UPGRADE : BASELINE) this.addSql(statement);
  }
}
