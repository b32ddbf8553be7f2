import { reasonOf } from '../../../test/support/money/ledger-twins.js';
import { insertAccount, insertKey, type AccountRow } from '../../../test/support/database/row-builders.js';
import { Sql } from '../../database/sql.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { newId } from '../../kernel/ids.js';
import { Ledger, type ReservationRequest } from './ledger.js';

const LAST_OF_DAY = new Date('2026-11-20T23:59:59.900Z');
const FIRST_OF_DAY = new Date('2026-11-21T00:00:00.100Z');
const PRICE = 10n;

describe('a key with a spending limit', () => {
  let database: TestDatabase;
  let sql: Sql;
  let ledger: Ledger;
  let account: AccountRow;
  let accountNo: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 4);
    ledger = new Ledger(sql);
    account = await insertAccount(sql, { granted: 1_000_000_000 });
    accountNo = account.no;
  });

  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  /** Inserts a key whose limit covers `calls` calls in each window. Returns the number of the key. */
  async function aKey(calls: number, reset: 'daily' | 'weekly' | 'monthly' | null): Promise<number> {
    return (await insertKey(sql, account, { limit_nano: Number(BigInt(calls) * PRICE), limit_reset: reset })).no;
  }

  const request = (keyNo: number, at: Date, more: Partial<ReservationRequest> = {}): ReservationRequest => ({
    id: newId(),
    generationId: newId(at.getTime()),
    accountNo,
    keyNo,
    parentNo: null,
    accountAmount: PRICE,
    keyAmount: PRICE,
    parentAmount: 0n,
    at,
    ...more,
  });
  const reserve = async (one: ReservationRequest): Promise<string> => reasonOf(await ledger.reserve(one));
  const settle = (one: ReservationRequest): Promise<string> =>
    ledger.finish({
      reservationId: one.id,
      accountNo,
      keyNo: one.keyNo,
      settle: true,
      cost: PRICE,
      byokCost: 0n,
      record: null,
    });
  const spend = async (keyNo: number, at: Date): Promise<string> => {
    const one = request(keyNo, at);
    const outcome = await reserve(one);
    if (outcome === 'reserved') await settle(one);
    return outcome;
  };
  const daily = async (keyNo: number): Promise<unknown> =>
    (await sql.query('select day_start::text, usage, usage_day from key_balance where key_no = $1', [keyNo]))[0];

  it('counts each call of a batch in the window of the call', async () => {
    const keyNo = await aKey(1, 'daily');
    expect(await spend(keyNo, LAST_OF_DAY)).toBe('reserved');

    const outcomes = await Promise.all([reserve(request(keyNo, LAST_OF_DAY)), reserve(request(keyNo, FIRST_OF_DAY))]);

    expect(outcomes).toEqual(['key_limit', 'reserved']);
  });

  it.each([
    ['daily', '2026-11-20T23:59:59.900Z', '2026-11-21T00:00:00.100Z'],
    ['weekly', '2026-11-22T23:59:59.900Z', '2026-11-23T00:00:00.100Z'],
    ['monthly', '2026-11-30T23:59:59.900Z', '2026-12-01T00:00:00.100Z'],
    ['monthly', '2026-12-31T23:59:59.900Z', '2027-01-01T00:00:00.100Z'],
  ] as const)(
    'also limits calls in the previous %s window, for a replica whose clock is behind (%s)',
    async (reset, before, after) => {
      const keyNo = await aKey(3, reset);
      const [old, fresh] = [new Date(before), new Date(after)];
      for (let call = 0; call < 2; call++) expect(await spend(keyNo, old)).toBe('reserved');
      expect(await spend(keyNo, fresh)).toBe('reserved');

      expect(await spend(keyNo, old)).toBe('reserved');
      expect(await spend(keyNo, old)).toBe('key_limit');
      expect(await spend(keyNo, fresh)).toBe('reserved');
      expect(await spend(keyNo, fresh)).toBe('reserved');
      expect(await spend(keyNo, fresh)).toBe('key_limit');
      expect(await spend(keyNo, old)).toBe('key_limit');
    },
  );

  it('counts a call that settles after midnight in the window of its reservation', async () => {
    const keyNo = await aKey(1, 'daily');
    const late = request(keyNo, LAST_OF_DAY);
    expect(await reserve(late)).toBe('reserved');
    expect(await reserve(request(keyNo, FIRST_OF_DAY))).toBe('key_limit');
    await settle(late);

    expect(await daily(keyNo)).toEqual({ day_start: '2026-11-20', usage: 10n, usage_day: 10n });
    expect(await spend(keyNo, FIRST_OF_DAY)).toBe('reserved');
    expect(await daily(keyNo)).toEqual({ day_start: '2026-11-21', usage: 20n, usage_day: 10n });
    expect(await spend(keyNo, LAST_OF_DAY)).toBe('key_limit');
  });

  it('counts each call in its own window if one batch settles calls from before and after midnight', async () => {
    const keyNo = await aKey(4, 'daily');
    const calls = [LAST_OF_DAY, FIRST_OF_DAY, LAST_OF_DAY].map((at) => request(keyNo, at));
    for (const call of calls) expect(await reserve(call)).toBe('reserved');

    await Promise.all(calls.map((call) => settle(call)));

    expect(await daily(keyNo)).toEqual({ day_start: '2026-11-21', usage: 30n, usage_day: 10n });
    expect((await Promise.all([1, 2, 3].map(() => spend(keyNo, LAST_OF_DAY)))).toSorted()).toEqual([
      'key_limit',
      'reserved',
      'reserved',
    ]);
  });

  it('counts a call that moves to another endpoint after midnight in the window of its first reservation', async () => {
    const keyNo = await aKey(2, 'daily');
    const first = request(keyNo, LAST_OF_DAY);
    expect(await spend(keyNo, LAST_OF_DAY)).toBe('reserved');
    expect(await reserve(first)).toBe('reserved');
    expect(await spend(keyNo, FIRST_OF_DAY)).toBe('reserved');

    expect(await reserve(request(keyNo, LAST_OF_DAY, { replaces: first.id, keyAmount: PRICE + 1n }))).toBe('key_limit');
    expect(await reserve(request(keyNo, LAST_OF_DAY, { replaces: first.id }))).toBe('reserved');
  });

  it('that expires during a batch refuses only the calls after its expiry', async () => {
    const keyNo = await aKey(5, null);
    await sql.query('update api_key set expires_at = $2 where no = $1', [keyNo, FIRST_OF_DAY]);

    const outcomes = await Promise.all([reserve(request(keyNo, LAST_OF_DAY)), reserve(request(keyNo, FIRST_OF_DAY))]);

    expect(outcomes).toEqual(['reserved', 'key_expired']);
  });

  it('has one reservation if the reservation is sent twice, because the first response was lost', async () => {
    const keyNo = await aKey(1, null);
    const first = request(keyNo, LAST_OF_DAY);
    const next = request(keyNo, LAST_OF_DAY, { replaces: first.id });
    for (const one of [first, first, next, next]) expect(await reserve(one)).toBe('reserved');

    expect((await sql.query('select reserved from key_balance where key_no = $1', [keyNo]))[0]).toEqual({
      reserved: PRICE,
    });
    expect(await reserve(first)).toBe('lease_lost');
  });

  it('never exceeds the limit of a window, and refuses no call within the limit, in any order of times', async () => {
    const limit = 13;
    const keyNo = await aKey(limit, 'daily');
    const spent = new Map<string, number>();
    let seed = 20_261_120;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    let newest = Date.parse('2026-11-20T00:00:00Z');
    for (let call = 0; call < 400; call++) {
      newest += random(120) * 60_000;
      // The times differ by up to 8 hours, far more than the clocks of replicas. Therefore, a call is often on the day
      // before the day of the previous call.
      const at = new Date(newest - random(2) * random(8 * 3_600_000));
      const day = at.toISOString().slice(0, 10);
      const expected = (spent.get(day) ?? 0) < limit ? 'reserved' : 'key_limit';
      expect([call, day, await spend(keyNo, at)]).toEqual([call, day, expected]);
      if (expected === 'reserved') spent.set(day, (spent.get(day) ?? 0) + 1);
    }
    expect([...spent.values()].filter((calls) => calls === limit).length).toBeGreaterThan(3);
  });
});
