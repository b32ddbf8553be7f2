import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from './test-database.js';

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('a test database', () => {
  let databases: TestDatabase[] = [];

  beforeAll(async () => {
    databases = await Promise.all(Array.from({ length: 6 }, createTestDatabase));
  });
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.drop()));
  });

  it('has the schema of all migrations and no accounts', async () => {
    const [{ url }] = databases as [TestDatabase];
    expect(await ask(url, 'select count(*)::int as accounts from account')).toEqual([{ accounts: 0 }]);
  });

  it('does not contain the tables of another test database', async () => {
    const [first, second] = databases as [TestDatabase, TestDatabase];
    await ask(first.url, 'create table mine (n int); insert into mine values (1)');
    expect(await ask(first.url, 'select n from mine')).toEqual([{ n: 1 }]);
    await expect(ask(second.url, 'select n from mine')).rejects.toThrow('relation "mine" does not exist');
  });

  it('does not exist after drop, even with an open connection to it', async () => {
    const database = await createTestDatabase();
    const open = new Client({ connectionString: database.url });
    open.on('error', () => undefined);
    await open.connect();
    await database.drop();
    await expect(ask(database.url, 'select 1')).rejects.toThrow('does not exist');
    await open.end();
  });
});
