import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { operate } from '../../support/services/operator-process.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { startTestService } from '../../support/services/test-service.js';

/** Enough rows that copying them takes some time. */
const ROWS = 150_000;

describe('a backup or a restore with a connection that the server ends', () => {
  let folder: TemporaryFolder;
  let source: TestDatabase;
  let target: TestDatabase;
  let admins: Client[];

  const operator = (database: TestDatabase, ...words: string[]): Promise<unknown> =>
    operate({ DATABASE_URL: database.url, MASTER_KEY: 'a1'.repeat(32), DATA_DIR: folder.path }, ...words);
  const adminOf = async (database: TestDatabase): Promise<Client> => {
    const client = new Client({ connectionString: database.url, application_name: 'test' });
    client.on('error', () => undefined);
    await client.connect();
    admins.push(client);
    return client;
  };

  beforeAll(async () => {
    admins = [];
    folder = await temporaryFolder();
    source = await createTestDatabase();
    target = await createTestDatabase();
    const service = await startTestService({ databaseUrl: source.url });
    await service.stop();
    await operator(source, 'usage', 'seed', '--rows', String(ROWS), '--days', '2', '--keys', '3');
  }, 120_000);
  afterAll(async () => {
    await Promise.all(admins.map((admin) => admin.end()));
    await source.drop();
    await target.drop();
    await folder.remove();
  });

  /**
   * Terminates the connection in the middle of a COPY, and returns the command's error output. The server itself waits
   * for the COPY, because a COPY may end before a busy test process can react.
   */
  async function cutOff(admin: Client, copy: string, work: Promise<unknown>): Promise<string> {
    const failed = work.then(
      () => 'it did not fail',
      (error: { stderr: string }) => error.stderr,
    );
    const cut = admin.query(
      `do $$ begin
         for attempt in 1..30000 loop
           perform pg_stat_clear_snapshot();
           perform pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and application_name like 'gatehouse-%' and query ilike '${copy}'
               and state = 'active';
           if found then return; end if;
           perform pg_sleep(0.002);
         end loop;
         raise 'no connection had a query like ${copy.replaceAll('%', '%%')}';
       end $$`,
    );
    await cut.catch(async (error: Error) => {
      throw new Error(`${error.message}: ${await failed}`);
    });
    return failed;
  }

  /** Expects an error message on the last line, and no stack trace. */
  const expectOneLine = (stderr: string): void => {
    expect(stderr).not.toMatch(/Unhandled|uncaught|at .*\.[jt]s:\d/);
    expect(stderr.trim().split('\n').at(-1)).toMatch(
      /^error: .*(terminat|not available|connection to the database was lost)/,
    );
  };

  it('fails in one line and leaves no file, and the next backup succeeds', async () => {
    const file = join(folder.path, 'backup');
    expectOneLine(await cutOff(await adminOf(source), 'copy%to stdout%', operator(source, 'backup', file)));
    expect((await readdir(folder.path)).filter((name) => name.startsWith('backup'))).toEqual([]);
    await operator(source, 'backup', file);
  }, 120_000);

  it('fails in one line and leaves nothing in the database, and the next restore succeeds', async () => {
    const file = join(folder.path, 'backup');
    const admin = await adminOf(target);
    expectOneLine(await cutOff(admin, 'copy%from stdin%', operator(target, 'restore', file)));
    expect((await admin.query('select from account')).rowCount).toBe(0);
    await operator(target, 'restore', file);
    expect((await admin.query<{ n: number }>('select count(*)::int as n from generation')).rows[0]!.n).toBe(ROWS);
  }, 180_000);
});
