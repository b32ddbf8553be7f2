import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { runServiceToExit } from '../../../test/support/services/service-process.js';
import { DatabaseStartError } from '../database-start.error.js';
import { migrate } from '../migrate.js';
import { refuseUnsupportedServer } from './supported-server.js';

describe('the encoding of the database', () => {
  let database: TestDatabase;
  let admin: Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    admin = new Client({ connectionString: database.url });
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await database.drop();
  });

  it.each(['LATIN1', 'SQL_ASCII'])(
    '%s stops the start in one line that names the remedy',
    async (encoding) => {
      const name = `${new URL(database.url).pathname.slice(1)}_${encoding.toLowerCase()}`;
      await admin.query(
        `create database ${name} template template0 encoding '${encoding}' locale_provider libc locale 'C'`,
      );
      const url = new URL(database.url);
      url.pathname = `/${name}`;
      try {
        const { code, output } = await runServiceToExit({ DATABASE_URL: url.href, MASTER_KEY: 'a1'.repeat(32) });
        expect([code, output]).toEqual([
          1,
          `Gatehouse cannot start: the database of DATABASE_URL has the encoding ${encoding}, and Gatehouse needs ` +
            `UTF8: create another one by "create database gatehouse template template0 encoding 'UTF8'", and copy ` +
            'the data into it with pg_dump.\n',
        ]);
        await expect(migrate(url.href, [])).rejects.toThrow(DatabaseStartError);
      } finally {
        await admin.query(`drop database ${name} with (force)`);
      }
    },
    60_000,
  );

  it('UTF8 is accepted', async () => {
    expect(await migrate(database.url, [])).toEqual({ migrations: [], functions: [] });
  });
});

describe('the version of PostgreSQL', () => {
  /** A server that reports this version. */
  const server = (version: string, number: number): Pick<Client, 'query'> =>
    ({ query: () => Promise.resolve({ rows: [{ encoding: 'UTF8', version, number }] }) }) as never;
  const lines: string[] = [];
  const check = (version: string, number: number): Promise<void> =>
    refuseUnsupportedServer(server(version, number), 'DATABASE_URL', (line) => lines.push(line));
  beforeEach(() => void lines.splice(0));

  it('below 15 stops the start', async () => {
    await expect(check('14.19', 140_019)).rejects.toThrow(
      'the server of DATABASE_URL is PostgreSQL 14.19, and versions 15 to 18 are supported: upgrade it.',
    );
  });

  it.each([
    ['15.0', 150_000],
    ['18.4', 180_004],
  ])('%s is accepted', async (version, number) => {
    await check(version, number);
    expect(lines).toEqual([]);
  });

  it('above 18 is logged', async () => {
    await check('19beta1', 190_000);
    expect(lines).toEqual(['The server of DATABASE_URL is PostgreSQL 19beta1, and versions 15 to 18 are supported.']);
  });
});
