import {
  insertAccount,
  insertKey,
  insertWorkspace,
  type KeyColumns,
} from '../../../test/support/database/row-builders.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { Sql } from '../../database/sql.js';
import { newId } from '../../kernel/ids.js';
import { Ledger, type ReservationRequest } from './ledger.js';

const PERCENTS = [50, 80, 95, 100];
const DAY_MS = 86_400_000;
/** The default time of a call. Must be in the current window, which is checked after a limit is lowered. */
const TODAY = new Date();

describe('thresholds', () => {
  let database: TestDatabase;
  let sql: Sql;
  let ledgers: readonly [Ledger, Ledger];
  let others: Sql;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 4);
    others = new Sql(database.url, 4);
    ledgers = [new Ledger(sql), new Ledger(others)];
  });
  afterAll(async () => {
    await sql.close();
    await others.close();
    await database.drop();
  });

  interface Payer {
    readonly accountNo: number;
    readonly accountId: string;
    readonly keyNo: number;
    readonly hash: string;
  }
  async function aPayer(columns: KeyColumns, granted = 1_000_000_000_000): Promise<Payer> {
    const account = await insertAccount(sql, { granted });
    const workspace = await insertWorkspace(sql, account);
    const key = await insertKey(sql, account, { workspace_id: workspace.id, ...columns });
    return { accountNo: account.no, accountId: account.id, keyNo: key.no, hash: key.hash };
  }
  const reservationOf = (payer: Payer, amount: bigint, at: Date, parentNo: number | null): ReservationRequest => ({
    id: newId(),
    generationId: newId(),
    accountNo: payer.accountNo,
    keyNo: payer.keyNo,
    parentNo,
    accountAmount: amount,
    keyAmount: amount,
    parentAmount: parentNo === null ? 0n : amount,
    at,
  });
  async function spend(
    payer: Payer,
    amount: bigint,
    {
      at = TODAY,
      ledger = ledgers[0],
      parentNo = null,
      byok = 0n,
    }: { at?: Date; ledger?: Ledger; parentNo?: number | null; byok?: bigint } = {},
  ): Promise<void> {
    const reservation = reservationOf(payer, amount, at, parentNo);
    expect(await ledger.reserve(reservation)).toBe('reserved');
    const { accountNo, keyNo } = payer;
    const finish = { reservationId: reservation.id, accountNo, keyNo, settle: true, cost: amount, byokCost: byok };
    expect(await ledger.finish({ ...finish, record: null })).toBe('done');
  }
  async function eventsOf({ accountNo }: Payer, type: string): Promise<Record<string, unknown>[]> {
    const rows = await sql.query<{ data: Record<string, unknown> }>(
      `select data from event where account_no = $1 and type = $2 order by created_at, (data ->> 'threshold')::int`,
      [accountNo, type],
    );
    return rows.map(({ data }) => data);
  }
  const percentsOf = async (payer: Payer): Promise<unknown[]> =>
    (await eventsOf(payer, 'key.limit.threshold')).map(({ threshold }) => threshold);

  it.each([
    ['has no limit', {}, 9_223_372_036_854_775_807n],
    ['has reached no threshold', { limit_nano: 1_000 }, 500n],
    ['has reached the last threshold', { limit_nano: 10 }, 15n],
  ])('are not checked before the spend of a key can reach one of them: the key %s', async (_, columns, expected) => {
    const payer = await aPayer(columns);
    await spend(payer, 10n);
    await spend(payer, 0n);
    const [balance] = await sql.query('select alert_at from key_balance where key_no = $1', [payer.keyNo]);
    expect(balance).toEqual({ alert_at: expected });
  });

  it('cause one event each when 1,000 concurrent calls of two services cross all thresholds', async () => {
    const payer = await aPayer({ limit_nano: 10_000, limit_reset: 'daily' });
    await Promise.all(Array.from({ length: 1_000 }, (_, index) => spend(payer, 10n, { ledger: ledgers[index % 2] })));

    expect(await percentsOf(payer)).toEqual(PERCENTS);
    const [first] = await eventsOf(payer, 'key.limit.threshold');
    expect(first).toMatchObject({ hash: payer.hash, limit: 0.00001, limit_reset: 'daily' });
    expect(first!['window_start']).toBe(TODAY.toISOString().slice(0, 10));
  });

  it('cause an event at the exact nano-dollar (calls one after the other)', async () => {
    const payer = await aPayer({ limit_nano: 1_001 });
    await spend(payer, 500n);
    expect(await percentsOf(payer)).toEqual([]);
    await spend(payer, 1n);
    expect(await percentsOf(payer)).toEqual([50]);
    await spend(payer, 300n);
    expect(await percentsOf(payer)).toEqual([50, 80]);
    await spend(payer, 200n);
    expect(await percentsOf(payer)).toEqual(PERCENTS);
  });

  it('cause events again in the next window; a late call counts in the window of its reservation', async () => {
    const payer = await aPayer({ limit_nano: 1_000, limit_reset: 'daily' });
    const yesterday = new Date(TODAY.getTime() - DAY_MS);
    const late = reservationOf(payer, 300n, yesterday, null);
    await spend(payer, 500n, { at: yesterday });
    await ledgers[0].reserve(late);
    await spend(payer, 600n);
    expect(await percentsOf(payer)).toEqual([50, 50]);
    const { accountNo, keyNo } = payer;
    const finish = { reservationId: late.id, accountNo, keyNo, settle: true, cost: 300n, byokCost: 0n };
    await ledgers[0].finish({ ...finish, record: null });

    const windows = (await eventsOf(payer, 'key.limit.threshold')).map(
      (data) => `${String(data['threshold'])} ${String(data['window_start'])}`,
    );
    const [before, now] = [yesterday, TODAY].map((day) => day.toISOString().slice(0, 10));
    expect(windows.toSorted()).toEqual([`50 ${before}`, `50 ${now}`, `80 ${before}`].toSorted());
  });

  it('of the limit of a parent key count the spend of the intern', async () => {
    const parent = await aPayer({ limit_nano: 1_000 });
    const intern = await insertKey(sql, { no: parent.accountNo, id: parent.accountId }, { parent_no: parent.keyNo });
    await spend({ ...parent, keyNo: intern.no }, 800n, { parentNo: parent.keyNo });
    expect(await percentsOf(parent)).toEqual([50, 80]);
  });

  it('count spend on own credentials only if the limit counts such spend', async () => {
    const counted = await aPayer({ limit_nano: 1_000, include_byok_in_limit: true });
    const apart = await aPayer({ limit_nano: 1_000 });
    for (const payer of [counted, apart]) await spend(payer, 0n, { byok: 500n });
    expect(await percentsOf(counted)).toEqual([50]);
    expect(await percentsOf(apart)).toEqual([]);
  });

  it('cause events when a limit is lowered, but no second events when it is raised and lowered again', async () => {
    const payer = await aPayer({ limit_nano: 1_000, limit_reset: 'monthly' });
    await spend(payer, 400n);
    const setLimit = (nano: number): Promise<unknown> =>
      sql.query('update api_key set limit_nano = $2 where no = $1', [payer.keyNo, nano]);
    await setLimit(500);
    expect(await percentsOf(payer)).toEqual([50, 80]);
    await setLimit(5_000);
    await setLimit(500);
    expect(await percentsOf(payer)).toEqual([50, 80]);
  });

  it('of a limit without windows cause events again after the limit was raised', async () => {
    const payer = await aPayer({ limit_nano: 1_000 });
    await spend(payer, 1_000n);
    await sql.query('update api_key set limit_nano = 2000 where no = $1', [payer.keyNo]);
    await spend(payer, 600n);
    expect(await percentsOf(payer)).toEqual([...PERCENTS, 80]);
  });

  it('of credits cause one event each time the credits fall below a threshold, also in a batch', async () => {
    const payer = await aPayer({}, 10_000_000_000);
    await spend(payer, 5_000_000_000n);
    expect(await eventsOf(payer, 'credits.low')).toEqual([]);
    await Promise.all(Array.from({ length: 100 }, (_, index) => spend(payer, 1n, { ledger: ledgers[index % 2] })));
    const [low, ...more] = await eventsOf(payer, 'credits.low');
    expect(more).toEqual([]);
    expect(low).toMatchObject({ threshold: 5, total_credits: 10 });
    await sql.query('update account_balance set granted = granted + 100 where account_no = $1', [payer.accountNo]);
    await spend(payer, 1n);
    expect(await eventsOf(payer, 'credits.low')).toHaveLength(2);
  });

  it('do not apply to calls that a limit refuses: these calls cause one event an hour', async () => {
    const payer = await aPayer({ limit_nano: 100 });
    const refused = Array.from({ length: 20 }, () => ledgers[0].reserve(reservationOf(payer, 200n, TODAY, null)));
    expect(new Set((await Promise.all(refused)).map((outcome) => typeof outcome))).toEqual(new Set(['object']));
    // Two events if the hour ended in between.
    const events = await eventsOf(payer, 'budget.refused');
    expect([1, 2]).toContain(events.length);
    expect(events[0]).toMatchObject({ hash: payer.hash, reason: 'key_limit' });
  });
});
