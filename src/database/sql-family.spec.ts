import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../test/support/database/test-database.js';
import { applySqlFamilies, type SqlFamily } from './sql-family.js';

const family = (version: number, result: string, ...more: string[]): SqlFamily => ({
  name: 'a family',
  version,
  statements: [`create or replace function a_family() returns text language sql as $$ select '${result}' $$`, ...more],
});

describe('a family of database functions', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const apply = async (...families: SqlFamily[]): Promise<void> => {
    await client.query('begin');
    try {
      await applySqlFamilies(client, families);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
  };
  const inForce = async (): Promise<unknown> => (await client.query('select a_family() as result')).rows[0].result;

  it('is applied once for each version', async () => {
    await apply(family(1, 'one'));
    await apply(family(1, 'not applied again'));
    expect(await inForce()).toBe('one');
    await apply(family(3, 'three'));
    expect(await inForce()).toBe('three');
  });

  it('is never replaced by a lower version: an older service refuses to start', async () => {
    await expect(apply(family(2, 'two'))).rejects.toThrow(
      'the database has version 3 of "a family", and this service knows version 2',
    );
    expect(await inForce()).toBe('three');
  });

  it('is applied as a whole or not at all', async () => {
    await expect(apply(family(4, 'four', 'select no_such_function()'))).rejects.toThrow('no_such_function');
    expect(await inForce()).toBe('three');
    const { rows } = await client.query(`select version from sql_family where name = 'a family'`);
    expect(rows).toEqual([{ version: 3 }]);
  });
});
