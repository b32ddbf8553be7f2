import { setTimeout as sleep } from 'node:timers/promises';
import { Ledger, type ReservationRequest } from '../../src/billing/ledger/ledger.js';
import { Sql } from '../../src/database/sql.js';
import { newId } from '../../src/kernel/ids.js';
import { FakeLedger } from '../support/money/fake-ledger.js';
import { RandomNumbers } from '../support/random-numbers.js';
import { insertAccount, insertKey } from '../support/database/row-builders.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

const NOON = new Date('2026-11-20T12:00:00Z');
const GRANTED = 120n;
const KEYS = [
  {},
  { limit: 120n },
  { limit: 90n, countsByok: true },
  { fault: 'disabled' },
  { fault: 'expired' },
  { fault: 'unknown' },
] as const;

/** Compares the ledger on PostgreSQL with the fake ledger: all outcomes and balances must be equal. */
describe('the fake ledger compared with the ledger', () => {
  let database: TestDatabase;
  let sql: Sql;
  let accountNo: number;
  let keyNos: number[];
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 2);
    const account = await insertAccount(sql, { granted: Number(GRANTED) });
    accountNo = account.no;
    keyNos = [];
    for (const key of KEYS) {
      const { limit, countsByok, fault } = { limit: undefined, countsByok: undefined, fault: undefined, ...key };
      const columns = {
        limit_nano: limit && Number(limit),
        include_byok_in_limit: countsByok,
        disabled: fault === 'disabled',
        expires_at: fault === 'expired' ? NOON : undefined,
        deleted_at: fault === 'unknown' ? NOON : undefined,
      };
      keyNos.push((await insertKey(sql, account, columns)).no);
    }
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  const fakeOf = (leaseMs?: number): FakeLedger => {
    const fake = new FakeLedger(leaseMs);
    fake.addAccount(accountNo, GRANTED);
    for (const [index, key] of KEYS.entries()) fake.addKey(keyNos[index]!, key);
    return fake;
  };
  const requestOf = (over: Partial<ReservationRequest> = {}): ReservationRequest => ({
    id: newId(),
    generationId: newId(),
    accountNo,
    keyNo: keyNos[0]!,
    parentNo: null,
    accountAmount: 10n,
    keyAmount: 10n,
    parentAmount: 0n,
    at: NOON,
    ...over,
  });
  const balances = async (): Promise<unknown> => ({
    account: (
      await sql.query('select granted, spent, reserved from account_balance where account_no = $1', [accountNo])
    )[0],
    keys: await sql.query(
      `select usage + delegated as usage, byok_usage + byok_delegated as "byokUsage", reserved
       from key_balance where key_no = any($1) order by key_no`,
      [keyNos],
    ),
  });
  const fakeBalances = ({ accounts, keys }: FakeLedger): unknown => ({
    account: accounts.get(accountNo),
    keys: keyNos.map((no) => {
      const { usage, byokUsage, reserved } = keys.get(no)!;
      return { usage, byokUsage, reserved };
    }),
  });

  it('overrides every method of the ledger, so that no method needs a database', () => {
    const methods = Object.getOwnPropertyNames(Ledger.prototype).filter(
      (name) => typeof Object.getOwnPropertyDescriptor(Ledger.prototype, name)!.value === 'function',
    );
    expect(Object.getOwnPropertyNames(FakeLedger.prototype)).toEqual(expect.arrayContaining(methods));
  });

  it('has the same outcomes and balances in 400 random steps, including refusals, moves and repetitions', async () => {
    const [ledger, fake, random] = [new Ledger(sql), fakeOf(), new RandomNumbers(7)];
    const below = (limit: number): number => random.int(0, limit - 1);
    const amount = (): bigint => BigInt(below(3) && below(60));
    const aKey = (): number => keyNos[below(3) ? below(3) : below(KEYS.length)]!;
    const open: ReservationRequest[] = [];
    const seen = new Set<string>();
    for (let step = 0; step < 400; step++) {
      const known = open[below(open.length + 3)];
      if (!known || below(4) === 0) {
        const parentNo = below(3) === 0 ? aKey() : null;
        const request = requestOf({
          ...(known && below(2) ? { id: known.id } : { replaces: known?.id }),
          keyNo: known?.keyNo ?? aKey(),
          parentNo: known ? known.parentNo : parentNo,
          accountAmount: amount(),
          keyAmount: amount(),
          parentAmount: (known ? known.parentNo : parentNo) === null ? 0n : amount(),
        });
        const outcome = await ledger.reserve(request);
        expect([step, await fake.reserve(request)]).toEqual([step, outcome]);
        seen.add(outcome === 'reserved' ? outcome : outcome.reason);
        if (outcome === 'reserved') open.push(request);
      } else {
        // Some reservations are finished twice, and some are both settled and released.
        if (below(3) > 0) open.splice(open.indexOf(known), 1);
        const settle = below(4) > 0;
        const paid = { settle, cost: settle ? amount() / 8n : 0n, byokCost: settle ? amount() / 8n : 0n };
        const finish = { reservationId: known.id, accountNo, keyNo: known.keyNo, ...paid, record: null };
        const outcome = await ledger.finish(finish);
        expect([step, await fake.finish(finish)]).toEqual([step, outcome]);
        seen.add(outcome);
      }
      if (step % 10 === 9) expect([step, fakeBalances(fake)]).toEqual([step, await balances()]);
    }
    expect([...seen].toSorted()).toEqual(
      [
        ...['key', 'parent'].flatMap((whose) =>
          ['disabled', 'expired', 'limit', 'unknown'].map((fault) => `${whose}_${fault}`),
        ),
        'done',
        'insufficient_credits',
        'lease_lost',
        'lost',
        'reserved',
      ].toSorted(),
    );
  });

  it('sweeps reservations that were not renewed before the given time, and forgets closed reservations', async () => {
    const outcomes = async (ledger: Ledger): Promise<unknown[]> => {
      const request = requestOf({ accountAmount: 0n, keyAmount: 0n });
      await ledger.reserve(request);
      const early = [(await ledger.sweep(await ledger.databaseTime(), 10)).swept, await ledger.forget(new Date(), 10)];
      await sleep(ledger.leaseMs);
      await ledger.renew([request]);
      const renewed = (await ledger.sweep(await ledger.databaseTime(), 10)).swept;
      await sleep(ledger.leaseMs * 2);
      const late = (await ledger.sweep(new Date(Date.now() - 60_000).toISOString(), 10)).swept;
      const swept = (await ledger.sweep(await ledger.databaseTime(), 10)).swept;
      await ledger.idle();
      return [early, renewed, late, swept, await ledger.forget(NOON, 10), await ledger.forget(new Date(), 10)];
    };
    // Delete the rows of the previous test: its open reservations are not due, and `forget` would delete its closed
    // ones first.
    await sql.query('delete from reservation');
    const expected = [[0, 0], 0, 0, 1, 0, 1];
    expect([await outcomes(new Ledger(sql, 300)), await outcomes(fakeOf(300))]).toEqual([expected, expected]);
  });
});
