import { MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from '../../../src/database/orm-options.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';

/**
 * Triggers, functions, views and indexes (partial or by expression) exist in migrations only, because entities cannot
 * express them. Entities must express tables and columns.
 */
const BEYOND_ENTITIES = /^(drop (trigger|function|index|view)|alter table "\w+" drop constraint) /;

describe('the migrated schema', () => {
  let database: TestDatabase;
  let orm: MikroORM;
  beforeAll(async () => {
    database = await createTestDatabase();
    orm = await MikroORM.init(ormOptions(database.url));
  });
  afterAll(async () => {
    await orm.close(true);
    await database.drop();
  });

  it('has no difference from the entities', async () => {
    const statements = (await orm.schema.getUpdateSchemaSQL({ wrap: false, safe: false }))
      .split(/;\s*/)
      .filter((statement) => statement !== '');
    expect(statements.filter((statement) => !BEYOND_ENTITIES.test(statement))).toEqual([]);
  });

  it('has every migration, and none is pending', async () => {
    expect(await orm.migrator.getPending()).toEqual([]);
  });
});
