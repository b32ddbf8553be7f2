import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, sleepUntil } from '../../../../test/support/eventually.js';
import { readBooks } from '../../../../test/support/money/count-the-money.js';
import { insertBudget } from '../../../../test/support/money/budget-rows.js';
import { LeaseStage, PLENTY, type PayerNos } from '../../../../test/support/money/lease-stage.js';
import { SetClock } from '../../../../test/support/services/test-service.js';
import { TIME_LIMIT_FACTOR } from '../../../../test/support/time-limits.js';
import type { Sql } from '../../../database/sql.js';

/** Long enough for the calls that a test makes before a raise ends or a key expires. */
const SHORT_MS = 2_500 * TIME_LIMIT_FACTOR;

describe('a credit lease', () => {
  let stage: LeaseStage;
  let sql: Sql;
  beforeAll(async () => {
    stage = await LeaseStage.open();
    ({ sql } = stage);
  });
  afterEach(() => stage.settle());
  afterAll(() => stage.close());

  it('pays for calls that have no separate reservation', async () => {
    const service = await stage.start();
    const of = await stage.payer(PLENTY);
    await stage.warmUp(service, of);
    const [before, spentBefore] = [await stage.reservations(of[0]), await stage.spent(of[0])];
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => service.call(...of, { worstCase: 10n, price: 7n })),
    );

    expect(outcomes).toEqual(Array.from({ length: 5 }, () => 'done'));
    expect(await stage.reservations(of[0])).toBe(before);
    expect(await stage.spent(of[0])).toBe(spentBefore + 35n);
  });

  it('is returned when its key is idle', async () => {
    const service = await stage.start();
    const of = await stage.payer(PLENTY);
    await stage.warmUp(service, of);

    await eventually(async () => expect(await stage.leased(of[0])).toBe(0n), 8_000);
  });

  it.each([1, 2, 3])('lets %i services serve 137 of 1,000 concurrent calls if the credits cover 137', async (count) => {
    const all = await Promise.all(Array.from({ length: count }, () => stage.start()));
    const of = await stage.payer(137 * 10);
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const calls = Array.from({ length: 1_000 }, (_, at) =>
      all[at % count]!.call(...of, { worstCase: 10n, price: 10n, until: end }),
    );
    const refused = Promise.all(calls.map((call) => Promise.race([call, end.then(() => undefined)])));
    await eventually(async () => {
      const { openReservations, openAmount } = await readBooks(sql);
      expect([openReservations > 0n, openAmount]).toEqual([true, 1_370n]);
    }, 10_000);
    await sleep(1_500);
    resolve();
    await refused;
    const outcomes = await Promise.all(calls);

    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(137);
    expect(await stage.spent(of[0])).toBe(1_370n);
  });

  it('is recalled before a call of another service is refused', async () => {
    const [one, other] = [await stage.start(), await stage.start()];
    const of = await stage.payer(10_000);
    await stage.warmUp(one, of);
    const held = await stage.leased(of[0]);
    const free = 10_000n - (await stage.spent(of[0])) - held;

    expect(held).toBeGreaterThan(0n);
    expect(await other.call(...of, { worstCase: free + held, price: 1n })).toBe('done');
  });

  it('is recalled for a call that a key limit would refuse, and no event of a refusal is written', async () => {
    const [one, other] = [await stage.start(), await stage.start()];
    const of = await stage.payer(PLENTY, { limit_nano: 10_000 });
    await stage.warmUp(one, of);
    const used = await stage.spent(of[0]);

    expect(await other.call(...of, { worstCase: 10_000n - used, price: 1n })).toBe('done');
    expect(
      await sql.query(`select type from event where account_no = $1 and type = 'budget.refused'`, [of[0]]),
    ).toEqual([]);
  });

  it('begins no call of a key that was disabled', async () => {
    const service = await stage.start();
    const of = await stage.payer(PLENTY);
    await stage.warmUp(service, of);
    await sql.query('update api_key set disabled = true where no = $1', [of[1]]);
    await sleep(200);

    expect(await service.call(...of, { worstCase: 10n, price: 1n })).toContain('disabled');
  });

  const raise = (table: string, no: number, until: Date): Promise<unknown> =>
    sql.query(`update ${table} set raise_nano = 1000000, raise_until = $2 where no = $1`, [no, until]);

  it('begins no call of a key that has expired', async () => {
    const service = await stage.start();
    const expires = new Date(Date.now() + SHORT_MS);
    const of = await stage.payer(PLENTY, { expires_at: expires });
    await stage.warmUp(service, of);
    await sleepUntil(expires);

    expect(await service.call(...of, { worstCase: 10n, price: 1n })).toContain('expired');
  });

  it.each([
    ['its key', async (of: PayerNos, until: Date) => raise('api_key', of[1], until)],
    [
      'one of its budgets',
      async (of: PayerNos, until: Date) =>
        raise('budget', await insertBudget(sql, of[0], { scope: { key: of[1] }, limit: 10_000n }), until),
    ],
  ])('begins no call that needs an ended raise of %s', async (what, raised) => {
    const service = await stage.start();
    const of = await stage.payer(PLENTY, what === 'its key' ? { limit_nano: 10_000 } : {});
    const until = new Date(Date.now() + SHORT_MS);
    await raised(of, until);
    await stage.warmUp(service, of);
    for (let call = 0; call < 3; call++)
      expect(await service.call(...of, { worstCase: 5_000n, price: 5_000n })).toBe('done');
    await sleepUntil(until);

    expect(await service.call(...of, { worstCase: 10n, price: 1n })).toMatch(/limit|exceeded/);
  });

  it('enforces the limit of its key exactly', async () => {
    const service = await stage.start();
    const of = await stage.payer(PLENTY, { limit_nano: 5_000 });
    const outcomes: string[] = [];
    for (let round = 0; round < 60; round++)
      outcomes.push(
        ...(await Promise.all(Array.from({ length: 20 }, () => service.call(...of, { worstCase: 10n, price: 10n })))),
      );

    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(500);
    expect(await stage.spent(of[0])).toBe(5_000n);
  });

  it('belongs to one day: a call after midnight counts in the new windows', async () => {
    const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400_000;
    const clock = new SetClock(new Date(midnight - 1_000));
    const service = await stage.start({ clock });
    const of = await stage.payer(PLENTY, { limit_nano: PLENTY, limit_reset: 'daily' });
    await stage.warmUp(service, of);
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const before = service.call(...of, { worstCase: 10n, price: 7n, until: end });
    await sleep(20);
    clock.set(new Date(midnight + 1_000));
    const after = await service.call(...of, { worstCase: 10n, price: 5n });
    resolve();

    expect([after, await before]).toEqual(['done', 'done']);
    const [row] = await sql.query<{ today: bigint; total: bigint; yesterday: bigint }>(
      'select usage_day as today, usage_prev_day as yesterday, usage as total from key_balance where key_no = $1',
      [of[1]],
    );
    expect(row!.today).toBe(5n);
    expect(row!.yesterday).toBe(row!.total - 5n);
  });
});
