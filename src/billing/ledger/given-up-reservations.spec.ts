import pg from 'pg';
import { eventually } from '../../../test/support/eventually.js';
import { insertAccount, insertKey } from '../../../test/support/database/row-builders.js';
import { TcpProxy } from '../../../test/support/database/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { isDatabaseUnavailable } from '../../database/database-faults.js';
import { Sql } from '../../database/sql.js';
import { newId } from '../../kernel/ids.js';
import { compositeArrayText } from './composite-text.js';
import { Ledger, type ReservationRequest } from './ledger.js';

const TIMEOUT_MS = 400;

/** No sweeper runs in these tests, so a committed reservation stays open. */
describe('a reservation that timed out in its service', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let admin: Sql;
  let locker: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await TcpProxy.before(database.url);
    proxy.loseCancels();
    admin = new Sql(database.url, 2);
    locker = new pg.Client({ connectionString: database.url, application_name: 'test' });
    await locker.connect();
  });
  afterAll(async () => {
    await locker.end();
    await admin.close();
    await proxy.stop();
    await database.drop();
  });

  interface Caller {
    readonly accountNo: number;
    readonly keyNo: number;
    readonly parentNo: number;
  }

  async function addCaller(): Promise<Caller> {
    const account = await insertAccount(admin, { granted: 1_000 });
    const { no: keyNo } = await insertKey(admin, account);
    const { no: parentNo } = await insertKey(admin, account, { limit_nano: 500 });
    return { accountNo: account.no, keyNo, parentNo };
  }

  const requestOf = ({ accountNo, keyNo }: Caller): ReservationRequest => {
    const id = newId();
    const amounts = { accountAmount: 10n, keyAmount: 10n, parentAmount: 0n };
    return { id, generationId: id, accountNo, keyNo, parentNo: null, ...amounts, at: new Date() };
  };
  const ofIntern = (caller: Caller): ReservationRequest => ({
    ...requestOf(caller),
    parentNo: caller.parentNo,
    parentAmount: 10n,
  });

  const failureOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      (outcome) => outcome,
      (error: unknown) => error,
    );

  /**
   * Returns the reserved amounts and the number of open reservations, after every statement of a reservation has ended.
   */
  async function heldBy({ accountNo }: Caller): Promise<unknown> {
    await eventually(async () =>
      expect(
        await admin.query(
          `select query
           from pg_stat_activity
           where datname = current_database() and state = 'active' and query like '%ledger_reserve%'
             and pid <> pg_backend_pid()`,
        ),
      ).toEqual([]),
    );
    const [row] = await admin.query<{ held: unknown }>(
      `select jsonb_build_object(
         'account', (select reserved from account_balance where account_no = $1),
         'keys', (select sum(b.reserved) from key_balance b join api_key k on k.no = b.key_no
           join account a on a.id = k.account_id where a.no = $1),
         'open', (select count(*) from reservation where account_no = $1)) as held`,
      [accountNo],
    );
    return row!.held;
  }
  const NOTHING = { account: 0, keys: 0, open: 0 };

  const ACCOUNT = ({ accountNo }: Caller): string =>
    `select from account_balance where account_no = ${accountNo} for update`;
  const KEY = ({ keyNo }: Caller): string => `select from key_balance where key_no = ${keyNo} for update`;
  it.each([
    ['one call that waits for its account', ACCOUNT, (caller: Caller) => [requestOf(caller)]],
    ['one call that waits for its key', KEY, (caller: Caller) => [requestOf(caller)]],
    ['a batch', ACCOUNT, (caller: Caller) => [requestOf(caller), requestOf(caller)]],
    ['a batch that waits for a key', KEY, (caller: Caller) => [requestOf(caller), requestOf(caller)]],
    ["a call of an intern's key", ACCOUNT, (caller: Caller) => [ofIntern(caller)]],
  ])('is not committed later, even if its cancel request is lost: %s', async (_, lock, requestsOf) => {
    const caller = await addCaller();
    const sql = new Sql(proxy.through(database.url), 2, { timeoutMs: TIMEOUT_MS });
    const ledger = new Ledger(sql);
    try {
      await locker.query('begin');
      await locker.query(lock(caller));
      const failures = await Promise.all(
        requestsOf(caller).map((request) => failureOf(ledger.reserve(request, performance.now() + TIMEOUT_MS))),
      );
      expect(failures.map(isDatabaseUnavailable)).toEqual(failures.map(() => true));
      await locker.query('rollback');
      expect(await heldBy(caller)).toEqual(NOTHING);

      const request = requestOf(caller);
      // A new connection may take longer than the short timeout of this test.
      await eventually(async () => expect(await ledger.reserve(request)).toBe('reserved'));
      expect(await heldBy(caller)).toEqual({ account: 10, keys: 10, open: 1 });
    } finally {
      await locker.query('rollback');
      await sql.close();
    }
  });

  it('reserves nothing if it waited for a connection until the timeout', async () => {
    const caller = await addCaller();
    const sql = new Sql(database.url, 1, { timeoutMs: 60_000 });
    const ledger = new Ledger(sql);
    const release = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const holding = sql.transaction(async (session) => {
      await session.query('select 1');
      started.resolve();
      await release.promise;
    });
    await started.promise;
    expect(isDatabaseUnavailable(await failureOf(ledger.reserve(requestOf(caller), performance.now() + 100)))).toBe(
      true,
    );
    release.resolve();
    await holding;
    // Runs after the late statement, because both use the only connection.
    await sql.query('select 1');
    expect(await heldBy(caller)).toEqual(NOTHING);
    await sql.close();
  });

  const BATCH = '(select outcome from ledger_reserve_batch(30000, $1, $2))';
  it.each([
    ['ledger_reserve_one', 'ledger_reserve_one(30000, $1, $1, $2, $3, 10, 10, now(), $4)'],
    ['ledger_reserve_batch', BATCH],
    ['ledger_reserve_batch, item by item', BATCH],
  ])('is rolled back after its timeout: %s', async (how, call) => {
    const caller = await addCaller();
    const { id, accountNo, keyNo } = requestOf(caller);
    const parentNo = how.endsWith('item by item') ? caller.parentNo : null;
    const item = [id, id, accountNo, keyNo, parentNo, 10n, 10n, 0n, new Date().toISOString(), null];
    const params = (timeoutMs: number | null): unknown[] =>
      call === BATCH ? [compositeArrayText([item]), timeoutMs] : [id, accountNo, keyNo, timeoutMs];
    // The statement begins 50 ms before the function.
    const late = `select ${call} as outcome from pg_sleep(0.05)`;
    expect(isDatabaseUnavailable(await failureOf(admin.query(late, params(40))))).toBe(true);
    expect(isDatabaseUnavailable(await failureOf(admin.query(`select ${call} as outcome`, params(0))))).toBe(true);
    expect(await heldBy(caller)).toEqual(NOTHING);

    expect(await admin.query(late, params(null))).toEqual([{ outcome: 'reserved' }]);
    expect(await heldBy(caller)).toEqual({ account: 10, keys: 10, open: 1 });
  });
});
