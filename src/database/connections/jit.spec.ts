import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { pgbouncerIsInstalled, startPgbouncer, type TestPooler } from '../../../test/support/database/pgbouncer.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { DeadlineClient } from './deadline-client.js';
import { ormOptions } from '../orm-options.js';
import { sessionOf } from '../session-of.js';
import { Sql, type SqlSession } from '../sql.js';

const jitOf = async (session: SqlSession): Promise<string> =>
  (await session.query<{ jit: string }>('show jit'))[0]!.jit;

describe('JIT compilation on a server that has it on', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    await admin.query(`alter database ${new URL(database.url).pathname.slice(1)} set jit = on`);
    await admin.end();
  });
  afterAll(() => database.drop());

  it('is off for every connection of plain SQL, in transactions and outside of them', async () => {
    const sql = new Sql(database.url, 3);
    try {
      const outside = await Promise.all(Array.from({ length: 3 }, () => jitOf(sql)));
      const inside = [await sql.transaction(jitOf), await sql.transaction(jitOf, { byIndex: true, timeoutMs: 5_000 })];
      expect([...outside, ...inside]).toEqual(['off', 'off', 'off', 'off', 'off']);
    } finally {
      await sql.close();
    }
  });

  it('is off for the ORM and for a single connection', async () => {
    const orm = await MikroORM.init(ormOptions(database.url));
    const client: pg.Client = new DeadlineClient({ connectionString: database.url });
    try {
      await client.connect();
      expect(await orm.em.getConnection().execute('show jit')).toEqual([{ jit: 'off' }]);
      expect((await client.query('show jit')).rows).toEqual([{ jit: 'off' }]);
    } finally {
      await client.end();
      await orm.close(true);
    }
  });

  (pgbouncerIsInstalled() ? describe : describe.skip)('behind a pooler in transaction mode', () => {
    let pooler: TestPooler;
    beforeAll(async () => {
      // The pooler has one backend, so each connection gets the settings that another connection left.
      pooler = await startPgbouncer(database.url, 'transaction', 1);
    });
    afterAll(() => pooler.stop());

    it('is off inside each transaction of plain SQL and of the ORM, and restored after the transaction', async () => {
      const sql = new Sql(pooler.url, 2, { pooled: true, timeoutMs: 10_000 });
      const orm = await MikroORM.init(ormOptions(pooler.url, 10_000, undefined, true));
      try {
        expect([
          await sql.transaction(jitOf),
          await sql.transaction(jitOf, { byIndex: true, timeoutMs: 5_000 }),
          await orm.em.transactional((em) => jitOf(sessionOf(em))),
          await orm.em.transactional((em) => jitOf(sessionOf(em)), { readOnly: true }),
          await jitOf(sql),
        ]).toEqual(['off', 'off', 'off', 'off', 'on']);
      } finally {
        await orm.close(true);
        await sql.close();
      }
    });
  });
});
