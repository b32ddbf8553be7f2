import { insertAccount, insertKey } from '../../../test/support/database/row-builders.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { SetClock } from '../../../test/support/services/test-service.js';
import { Sql } from '../../database/sql.js';
import { newId } from '../../kernel/ids.js';
import { Sweeper } from '../sweeper.js';
import { Leases } from './leases.js';
import { Ledger, type ReservationRequest } from './ledger.js';

const LEASE_MS = 600;

describe('leases', () => {
  let database: TestDatabase;
  let sql: Sql;
  let payer: { accountNo: number; keyNo: number };
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 4);
    const account = await insertAccount(sql, { granted: 1_000_000 });
    const key = await insertKey(sql, account);
    payer = { accountNo: account.no, keyNo: key.no };
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  const reserved = async (ledger: Ledger, at: Date): Promise<ReservationRequest> => {
    const one: ReservationRequest = {
      id: newId(),
      generationId: newId(),
      ...payer,
      parentNo: null,
      accountAmount: 10n,
      keyAmount: 10n,
      parentAmount: 0n,
      at,
    };
    expect(await ledger.reserve(one)).toBe('reserved');
    return one;
  };
  const stateOf = async ({ id }: ReservationRequest): Promise<string | undefined> =>
    (await sql.query<{ state: string }>('select state from reservation where id = $1', [id]))[0]?.state;

  it.each([
    ['60 s ahead', 60_000],
    ['60 s behind', -60_000],
    ['a day ahead', 86_400_000],
  ])(
    'do not depend on the clock of a service: if this clock is %s, the service sweeps no open calls',
    async (_, skewMs) => {
      const skewed = new SetClock(new Date(Date.now() + skewMs));
      const ledger = new Ledger(sql, 60_000);
      const [own, other] = [await reserved(ledger, skewed.now()), await reserved(ledger, new Date())];
      const sweeper = new Sweeper(new Ledger(sql, 2), skewed);
      await sleep(10);
      await sweeper.sweep();

      expect([await stateOf(own), await stateOf(other)]).toEqual(['reserved', 'reserved']);
      for (const { id } of [own, other])
        expect(
          await ledger.finish({ reservationId: id, ...payer, settle: true, cost: 1n, byokCost: 0n, record: null }),
        ).toBe('done');
    },
  );

  it('are renewed while a call is open, and expire after the service of the call died', async () => {
    const ledger = new Ledger(sql, LEASE_MS);
    const leases = new Leases(ledger);
    const [alive, dead] = [await reserved(ledger, new Date()), await reserved(ledger, new Date())];
    leases.hold({ id: alive.id, accountNo: payer.accountNo });
    const sweeper = new Sweeper(ledger, new SetClock(new Date()));
    await sleep(LEASE_MS * 2);
    await sweeper.sweep();
    await leases.stop();

    expect([await stateOf(alive), await stateOf(dead)]).toEqual(['reserved', 'released']);
  });

  it('that expired while the database was unavailable are renewed before any lease is swept', async () => {
    const away = { is: false };
    const unreliable = {
      query: (text: string, params: unknown[]) =>
        away.is ? Promise.reject(new Error('Connection terminated')) : sql.query(text, params),
    } as unknown as Sql;
    const ledger = new Ledger(unreliable, LEASE_MS);
    const leases = new Leases(ledger);
    const call = await reserved(ledger, new Date());
    leases.hold({ id: call.id, accountNo: payer.accountNo });
    const sweeper = new Sweeper(ledger, new SetClock(new Date()));
    await sweeper.sweep();
    away.is = true;
    await sweeper.sweep();
    await sleep(LEASE_MS * 2);
    away.is = false;
    await sweeper.sweep();
    expect(await stateOf(call)).toBe('reserved');
    await sleep(LEASE_MS);
    await sweeper.sweep();
    await leases.stop();

    expect(await stateOf(call)).toBe('reserved');
    expect(
      await ledger.finish({ reservationId: call.id, ...payer, settle: true, cost: 1n, byokCost: 0n, record: null }),
    ).toBe('done');
  });

  it('are not swept by a statement that the database runs three seconds late', async () => {
    const ledger = new Ledger(sql, 1);
    const call = await reserved(ledger, new Date());
    await sleep(20);
    const [{ asked }] = (await sql.query<{ asked: string }>(
      `select (clock_timestamp() - interval '3 s')::text as asked`,
    )) as [{ asked: string }];

    expect(await ledger.sweep(asked, 10)).toMatchObject({ swept: 0 });
    expect(await stateOf(call)).toBe('reserved');
    expect(await ledger.sweep(await ledger.databaseTime(), 10)).toMatchObject({ swept: 1 });
  });
});
