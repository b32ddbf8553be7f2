import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { eventually } from '../../../test/support/eventually.js';
import { Account } from '../entities/account.entity.js';
import { isDatabaseUnavailable } from '../database-faults.js';
import { ormOptions } from '../orm-options.js';
import { Sql } from '../sql.js';

/** More repetitions than the pools have connections. */
const TIMES = 12;

let database: TestDatabase;
let admin: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.url, application_name: 'test' });
  admin.on('error', () => undefined);
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await database.drop();
});

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error: unknown) => error,
  );
const backends = async (): Promise<number> =>
  (
    await admin.query<{ n: number }>(
      `select count(*)::int as n
       from pg_stat_activity
       where datname = current_database() and application_name <> 'test'`,
    )
  ).rows[0]!.n;

describe('plain SQL', () => {
  let sql: Sql;
  beforeEach(() => {
    sql = new Sql(database.url, 2, { timeoutMs: 500 });
  });
  afterEach(() => sql.close());

  it('ends a statement at its timeout by a cancellation on the server, and never reuses the connection', async () => {
    const [before] = await sql.query<{ pid: number }>('select pg_backend_pid() as pid');
    expect(isDatabaseUnavailable(await failureOf(sql.query('select pg_sleep(60)')))).toBe(true);

    expect((await sql.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]!.pid).not.toBe(before!.pid);
    await eventually(async () =>
      expect(
        (
          await admin.query(
            `select
             from pg_stat_activity
             where query like '%pg_sleep(60)%' and state = 'active' and pid <> pg_backend_pid()`,
          )
        ).rowCount,
      ).toBe(0),
    );
  });

  it('ends a transaction at its timeout, whichever statement hangs, and keeps the connections usable', async () => {
    for (let time = 0; time < TIMES; time++) {
      const failure = await failureOf(
        sql.transaction(async (session) => {
          await session.query('select 1');
          await session.query('select pg_sleep(60)');
        }),
      );
      expect(isDatabaseUnavailable(failure)).toBe(true);
    }
    expect(await sql.query('select 1 as one')).toEqual([{ one: 1 }]);
  }, 60_000);

  it('accepts a longer or a shorter timeout for a single statement or transaction', async () => {
    expect(await sql.query('select 1 as one from pg_sleep(0.8)', [], { timeoutMs: 20_000 })).toEqual([{ one: 1 }]);
    expect(
      await sql.transaction(async (session) =>
        session.query('select 1 as one from pg_sleep(0.8)', [], { timeoutMs: 20_000 }),
      ),
    ).toEqual([{ one: 1 }]);
    expect(
      await sql.transaction(async (session) => session.query('select 1 as one from pg_sleep(0.8)'), {
        timeoutMs: 20_000,
      }),
    ).toEqual([{ one: 1 }]);
    expect(isDatabaseUnavailable(await failureOf(sql.query('select pg_sleep(0.4)', [], { timeoutMs: 50 })))).toBe(true);
  });

  it('includes the wait for a connection in the timeout of a statement', async () => {
    const slow = new Sql(database.url, 2, { timeoutMs: 3_000 });
    const holds = [1, 2].map(() => slow.query('select pg_sleep(2)'));
    const since = performance.now();
    // The 3 s are measured from the call, whether the statement never gets a connection or begins late and is
    // cancelled.
    expect(isDatabaseUnavailable(await failureOf(slow.query('select pg_sleep(60)')))).toBe(true);
    expect(performance.now() - since).toBeLessThan(4_500);
    await Promise.all(holds);
    await slow.close();
  }, 30_000);

  it('ends a transaction at its timeout while it waits for a connection, and loses no connection', async () => {
    const slow = new Sql(database.url, 2, { timeoutMs: 20_000 });
    const holds = [1, 2].map(() => slow.query('select pg_sleep(1)'));
    let isHeld = true;
    const held = Promise.all(holds).then(() => (isHeld = false));
    const started = slow.transaction(async (session) => session.query('select 1'), { timeoutMs: 100 });
    expect([isDatabaseUnavailable(await failureOf(started)), isHeld]).toEqual([true, true]);
    await held;
    for (const rows of await Promise.all([1, 2, 3].map(() => slow.query('select 1 as one'))))
      expect(rows).toEqual([{ one: 1 }]);
    await slow.close();
  }, 30_000);

  it('does not change an error that the statement itself caused', async () => {
    const failure = await failureOf(sql.query('select 1 / 0'));
    expect([isDatabaseUnavailable(failure), (failure as { code: string }).code]).toEqual([false, '22012']);
  });

  it('loses no connection if the server terminates a connection in a transaction', async () => {
    for (let time = 0; time < TIMES; time++) {
      const failure = await failureOf(
        sql.transaction(async (session) => session.query('select pg_terminate_backend(pg_backend_pid())')),
      );
      expect(isDatabaseUnavailable(failure)).toBe(true);
    }
    expect(await sql.query('select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('the ORM', () => {
  let orm: MikroORM;
  beforeEach(async () => {
    orm = await MikroORM.init(ormOptions(database.url, 500));
  });
  afterEach(() => orm.close(true));

  it('fails with a recognisable DatabaseUnavailable if a statement times out', async () => {
    await admin.query('begin; lock table account in access exclusive mode');
    try {
      expect(isDatabaseUnavailable(await failureOf(orm.em.fork().find(Account, {})))).toBe(true);
    } finally {
      await admin.query('rollback');
    }
    expect(await orm.em.fork().find(Account, {})).toEqual([]);
  });

  it('loses no connection if the server ends a connection in a transaction, or a transaction times out', async () => {
    for (const statement of ['select pg_terminate_backend(pg_backend_pid())', 'select pg_sleep(60)']) {
      const failures = await Promise.all(
        Array.from({ length: TIMES }, () => failureOf(orm.em.fork().transactional((em) => em.execute(statement)))),
      );
      expect(failures.map(isDatabaseUnavailable)).toEqual(failures.map(() => true));
      expect(await orm.em.fork().find(Account, {})).toEqual([]);
    }
    expect(await backends()).toBeLessThanOrEqual(10);
  }, 60_000);
});

describe('many statements at once', () => {
  it('wait for a connection up to a maximum number; a further statement fails at once', async () => {
    const sql = new Sql(database.url, 1, { timeoutMs: 20_000 });
    await sql.query('select 1');
    let isHeld = true;
    const holding = sql.query('select pg_sleep(2)').finally(() => (isHeld = false));
    await new Promise((next) => setImmediate(next));
    const waiting = Array.from({ length: 2_000 }, () => sql.query<{ one: number }>('select 1 as one'));
    await new Promise((next) => setImmediate(next));
    expect(isDatabaseUnavailable(await failureOf(sql.query('select 1')))).toBe(true);
    expect(isHeld).toBe(true);
    expect((await Promise.all(waiting)).every(([row]) => row?.one === 1)).toBe(true);
    await holding;
    await sql.close();
  }, 60_000);
});

describe('a server that hangs', () => {
  it('does not delay the end of a pool', async () => {
    const sql = new Sql(database.url, 2, { timeoutMs: 60_000 });
    const hanging = failureOf(sql.query('select pg_sleep(60)'));
    await eventually(async () => expect(await backends()).toBeGreaterThan(0));
    await sql.close();
    expect(isDatabaseUnavailable(await hanging)).toBe(true);
  });
});
