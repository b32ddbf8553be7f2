import { reasonOf } from '../../../test/support/money/ledger-twins.js';
import {
  insertAccount,
  insertKey,
  type AccountRow,
  type KeyColumns,
} from '../../../test/support/database/row-builders.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { Sql } from '../../database/sql.js';
import { newId } from '../../kernel/ids.js';
import { Ledger, type ReservationRequest } from './ledger.js';

const NOON = new Date('2026-11-20T12:00:00Z');
const NEXT_DAY = new Date('2026-11-21T12:00:00Z');

describe('the key of an intern', () => {
  let database: TestDatabase;
  let sql: Sql;
  let ledger: Ledger;
  let account: AccountRow;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 4);
    ledger = new Ledger(sql);
    account = await insertAccount(sql, { granted: 1_000_000 });
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  async function aKey(columns: KeyColumns = {}): Promise<number> {
    return (await insertKey(sql, account, columns)).no;
  }

  const request = (keyNo: number, parentNo: number | null, amount = 10n, at = NOON): ReservationRequest => ({
    id: newId(),
    generationId: newId(at.getTime()),
    accountNo: account.no,
    keyNo,
    parentNo,
    accountAmount: amount,
    keyAmount: amount,
    parentAmount: parentNo === null ? 0n : amount,
    at,
  });
  const settle = (one: ReservationRequest, cost: bigint, byokCost = 0n): Promise<string> =>
    ledger.finish({
      reservationId: one.id,
      accountNo: account.no,
      keyNo: one.keyNo,
      settle: true,
      cost,
      byokCost,
      record: null,
    });
  const spend = async (keyNo: number, parentNo: number | null, amount = 10n, at = NOON): Promise<string> => {
    const one = request(keyNo, parentNo, amount, at);
    const outcome = reasonOf(await ledger.reserve(one));
    if (outcome === 'reserved') await settle(one, amount);
    return outcome;
  };
  const balanceOf = async (keyNo: number): Promise<unknown> =>
    (await sql.query('select usage, delegated, reserved from key_balance where key_no = $1', [keyNo]))[0];
  const leftOf = async (keyNo: number, at = NOON): Promise<bigint | null> =>
    (
      await sql.query<{ left: bigint | null }>(
        `select ledger_limit_free(k, b, $2) as left
         from api_key k
         join key_balance b on b.key_no = k.no
         where k.no = $1`,
        [keyNo, at],
      )
    )[0]!.left;

  it('spends from the limit of its parent key, and the spend is recorded as usage of the intern', async () => {
    const parent = await aKey({ limit_nano: 100 });
    const intern = await aKey({ parent_no: parent });

    expect(await spend(intern, parent, 30n)).toBe('reserved');
    expect([await balanceOf(intern), await balanceOf(parent)]).toEqual([
      { usage: 30n, delegated: 0n, reserved: 0n },
      { usage: 0n, delegated: 30n, reserved: 0n },
    ]);
    expect(await leftOf(parent)).toBe(70n);
    expect(await spend(parent, null, 70n)).toBe('reserved');
    expect(await spend(intern, parent, 1n)).toBe('parent_limit');
    expect(await spend(parent, null, 1n)).toBe('key_limit');
  });

  it('is refused by its own limit before the limit of its parent key', async () => {
    const parent = await aKey({ limit_nano: 100 });
    const intern = await aKey({ parent_no: parent, limit_nano: 20 });
    expect(await spend(intern, parent, 21n)).toBe('key_limit');
    expect(await spend(intern, parent, 20n)).toBe('reserved');
  });

  it.each([
    ['disabled', 'disabled = true', 'parent_disabled'],
    ['deleted', 'deleted_at = now()', 'parent_unknown'],
    ['expired', `expires_at = '2026-11-20T12:00:00Z'`, 'parent_expired'],
  ])('may not spend if its parent key is %s', async (_, change, outcome) => {
    const parent = await aKey();
    const intern = await aKey({ parent_no: parent });
    expect(await spend(intern, parent)).toBe('reserved');
    await sql.query(`update api_key set ${change} where no = $1`, [parent]);
    expect(await spend(intern, parent)).toBe(outcome);
  });

  it('never exceeds, with other keys, the limit of its parent key (60 concurrent calls of three keys)', async () => {
    const parent = await aKey({ limit_nano: 200 });
    const [one, two] = [await aKey({ parent_no: parent }), await aKey({ parent_no: parent })];
    const other = new Ledger(sql);
    const calls = Array.from(
      { length: 60 },
      (_, index) => [request(one, parent), request(two, parent), request(parent, null)][index % 3]!,
    );
    const outcomes = await Promise.all(calls.map((call, index) => (index % 2 ? ledger : other).reserve(call)));

    expect(outcomes.filter((outcome) => outcome === 'reserved')).toHaveLength(20);
    expect(await balanceOf(parent)).toMatchObject({ reserved: 200n });
    await Promise.all(calls.filter((_, index) => outcomes[index] === 'reserved').map((call) => settle(call, 10n)));
    expect(await leftOf(parent)).toBe(0n);
    const [sum] = await sql.query<{ usage: bigint; delegated: bigint; reserved: bigint }>(
      `select sum(usage)::bigint as usage, sum(delegated)::bigint as delegated, sum(reserved)::bigint as reserved
       from key_balance
       where key_no = any($1::int[])`,
      [[one, two, parent]],
    );
    expect(sum).toEqual({
      usage: 200n,
      delegated: ((await balanceOf(parent)) as { delegated: bigint }).delegated,
      reserved: 0n,
    });
    expect(sum!.delegated).toBeGreaterThan(0n);
  });

  it('counts in the window of its parent key, which ends at midnight for both keys', async () => {
    const parent = await aKey({ limit_nano: 20, limit_reset: 'daily' });
    const intern = await aKey({ parent_no: parent });
    expect(await spend(intern, parent, 15n)).toBe('reserved');
    expect(await spend(intern, parent, 6n)).toBe('parent_limit');
    expect(await spend(intern, parent, 20n, NEXT_DAY)).toBe('reserved');
    expect([await leftOf(parent), await leftOf(parent, NEXT_DAY)]).toEqual([5n, 0n]);
    // The call of a replica whose clock lags counts in the window of the replica's time.
    expect(await spend(parent, null, 5n)).toBe('reserved');
    expect(await spend(intern, parent, 1n)).toBe('parent_limit');
  });

  it('counts spend on own credentials in the limit of its parent key if this limit counts such spend', async () => {
    for (const [counts, left] of [
      [true, 93n],
      [false, 100n],
    ] as const) {
      const parent = await aKey({ limit_nano: 100, include_byok_in_limit: counts });
      const intern = await aKey({ parent_no: parent });
      const call = { ...request(intern, parent), accountAmount: 0n, keyAmount: 0n, parentAmount: counts ? 10n : 0n };
      expect(await ledger.reserve(call)).toBe('reserved');
      expect(await settle(call, 0n, 7n)).toBe('done');
      expect(await leftOf(parent)).toBe(left);
    }
  });

  it('reserves a new amount on both keys when a call moves to another endpoint, and a sweep releases it', async () => {
    const parent = await aKey({ limit_nano: 100 });
    const intern = await aKey({ parent_no: parent });
    const first = request(intern, parent, 10n);
    const next = { ...request(intern, parent, 25n), generationId: first.generationId, replaces: first.id };
    expect(await ledger.reserve(first)).toBe('reserved');
    for (const _ of ['once', 'again, because the first outcome was lost'])
      expect(await ledger.reserve(next)).toBe('reserved');
    expect([await balanceOf(intern), await balanceOf(parent)]).toMatchObject([{ reserved: 25n }, { reserved: 25n }]);

    await sql.query(`update reservation set deadline = clock_timestamp() - interval '1 s' where id = $1`, [next.id]);
    expect(await ledger.sweep(await ledger.databaseTime(), 10)).toMatchObject({ swept: 1 });
    expect([await balanceOf(intern), await balanceOf(parent)]).toMatchObject([{ reserved: 0n }, { reserved: 0n }]);
  });
});
