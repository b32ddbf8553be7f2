import { jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { LeaseStage, PLENTY, RECORD, type PayerNos } from '../../../../test/support/money/lease-stage.js';
import type { LeasedSpend, LeaseService } from '../../../../test/support/money/lease-service.js';
import { RandomNumbers } from '../../../../test/support/random-numbers.js';
import { newId, timeOfId } from '../../../kernel/ids.js';

describe('a call on a credit lease', () => {
  let stage: LeaseStage;
  let service: LeaseService;
  let of: PayerNos;
  beforeAll(async () => {
    stage = await LeaseStage.open();
  });
  beforeEach(async () => {
    service = await stage.start();
    of = await stage.payer(PLENTY, { limit_nano: PLENTY });
    await stage.warmUp(service, of);
  });
  afterEach(() => stage.settle());
  afterAll(() => stage.close());

  const keyUsage = async (): Promise<{ usage: bigint; byok_usage: bigint }> => {
    await stage.post();
    return (
      await stage.sql.query<{ usage: bigint; byok_usage: bigint }>(
        'select usage, byok_usage from key_balance where key_no = $1',
        [of[1]],
      )
    )[0]!;
  };

  /**
   * Makes a call, and repeats it until it began on a lease: a lease ends if this process gets no CPU for seconds.
   * Returns the outcome, the number of reservations that the call made, and the amount that it spent.
   */
  async function callOnLease(spend: LeasedSpend): Promise<[outcome: string, reservations: number, spent: bigint]> {
    const take = jest.spyOn(service.credit.leases, 'take');
    for (;;) {
      const [reservations, spent] = [await stage.reservations(of[0]), await stage.spent(of[0])];
      const outcome = await service.call(...of, spend);
      if (take.mock.results.at(-1)!.value !== undefined)
        return [outcome, (await stage.reservations(of[0])) - reservations, (await stage.spent(of[0])) - spent];
      await stage.warmUp(service, of);
    }
  }

  it('moves to the next attempt without a statement if the lease covers this attempt', async () => {
    const done = await callOnLease({
      worstCase: 10n,
      price: 14n,
      during: (call) => call.moveTo({ worstCase: 15n, source: 'platform' }),
    });

    expect(done).toEqual(['done', 0, 14n]);
  });

  it('moves to the next attempt with a separate reservation if the lease does not cover this attempt', async () => {
    const done = await callOnLease({
      worstCase: 10n,
      price: 600_000n,
      during: (call) => call.moveTo({ worstCase: 1_000_000n, source: 'platform' }),
    });

    // Two reservations were made: the first took over the amounts from the lease, the second replaced the first.
    expect(done).toEqual(['done', 2, 600_000n]);
  });

  it('can still be settled if the next attempt is refused', async () => {
    const [outcome] = await callOnLease({
      worstCase: 10n,
      price: 9n,
      during: (call) => call.moveTo({ worstCase: BigInt(PLENTY) * 2n, source: 'platform' }).catch(() => undefined),
    });

    expect(outcome).toBe('done');
  });

  it('is billed at its price, even if the price is above its worst case', async () => {
    expect(await callOnLease({ worstCase: 10n, price: 25n })).toEqual(['done', 0, 25n]);
  });

  it.each([true, false])(
    'spends no credits if it uses an own credential (spend counts in the limit of the key: %s)',
    async (counts) => {
      let before = await keyUsage();
      const done = await callOnLease({
        worstCase: 10n,
        price: 6n,
        source: 'own_credential',
        countsInLimit: counts,
        during: async () => (before = await keyUsage()),
      });

      expect(done).toEqual(['done', 0, 0n]);
      expect(await keyUsage()).toEqual({ usage: before.usage, byok_usage: before.byok_usage + 6n });
    },
  );

  it('is not billed twice if its settlement is sent again', async () => {
    const id = newId();
    const at = timeOfId(id);
    const begin = () =>
      service.credit.leases.take(
        { accountNo: of[0], keyNo: of[1] },
        { generationId: id, model: 'm', at, account: 10n, key: 10n },
      );
    let started = begin();
    for (; !started; started = begin()) await stage.warmUp(service, of);
    const call = started;
    const finish = {
      call,
      spent: { account: 4n, key: 4n },
      settle: true,
      cost: 4n,
      byokCost: 0n,
      record: RECORD,
      isRepeated: false,
    };
    const spentBefore = await stage.spent(of[0]);
    const outcomes = [
      await service.credit.finish(finish),
      await service.credit.finish({ ...finish, isRepeated: true }),
      ...(await Promise.all([
        service.credit.finish({ ...finish, isRepeated: true }),
        service.credit.finish({ ...finish, isRepeated: true }),
      ])),
    ];
    call.lease.end(call, finish.spent);

    expect(outcomes).toEqual(['done', 'done', 'done', 'done']);
    expect(await stage.spent(of[0])).toBe(spentBefore + 4n);
    expect(await stage.sql.query('select 1 from generation where id = $1', [id])).toHaveLength(1);
  });

  it('is lost if its lease was swept, and is not billed', async () => {
    const [outcome, , spent] = await callOnLease({
      worstCase: 10n,
      price: 7n,
      during: async () => {
        await stage.sql.query(`update reservation set deadline = '2026-01-01' where account_no = $1`, [of[0]]);
        await stage.sql.query('select ledger_release_overdue(clock_timestamp(), 10)');
      },
    });

    expect(outcome).toContain('could not be billed in time');
    expect(spent).toBe(0n);
  });

  it('makes no reservation and spends nothing if it fails without a record', async () => {
    const done = await callOnLease({
      worstCase: 10n,
      price: 7n,
      during: () => Promise.reject(new Error('the vendor failed')),
    });

    expect(done).toEqual(['the vendor failed', 0, 0n]);
  });

  it('writes only one event when its key reaches a threshold', async () => {
    const limited = await stage.payer(PLENTY, { limit_nano: 100_000 });
    await stage.warmUp(service, limited);
    for (let calls = 0; calls < 60; calls++) await service.call(...limited, { worstCase: 1_000n, price: 1_000n });

    const events = await stage.sql.query<{ threshold: number }>(
      `select (data ->> 'threshold')::int as threshold from event
       where account_no = $1 and type = 'key.limit.threshold'`,
      [limited[0]],
    );
    expect(events).toEqual([{ threshold: 50 }]);
  });

  it('leaves the idle credits of its lease available to a correction and to the check of a free call', async () => {
    const small = await stage.payer(10_000);
    await stage.warmUp(service, small);
    const other = await stage.start();
    const left = 10_000n - (await stage.spent(small[0]));
    const generationId = newId();
    await other.freeCalls.record({
      generationId,
      at: timeOfId(generationId),
      payer: { accountNo: small[0], keyNo: small[1], parentKey: null },
      record: RECORD,
      budget: { worstCase: left, source: 'platform' },
    });
    await stage.warmUp(service, small);
    const rest = 10_000n - (await stage.spent(small[0]));

    expect(
      await other.balances.grant({
        accountNo: small[0],
        amount: -rest,
        kind: 'correction',
        reason: 'all of it',
        idempotencyId: newId(),
      }),
    ).toBe(true);
  });

  it('is billed exactly, and never above a limit (3 services, 1,500 random calls)', async () => {
    const random = new RandomNumbers(20_261_127);
    const all = [service, await stage.start(), await stage.start()];
    const payers = [
      await stage.payer(PLENTY),
      await stage.payer(3_000, { limit_nano: 2_500 }),
      await stage.payer(PLENTY, { limit_nano: 4_000, limit_reset: 'daily', include_byok_in_limit: true }),
    ];
    const billed = payers.map(() => 0n);
    for (let round = 0; round < 30; round++)
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const which = random.int(0, payers.length - 1);
          const worstCase = BigInt(random.int(1, 20));
          const price = BigInt(random.int(0, Number(worstCase)));
          const next = random.chance(0.25) ? worstCase * 3n : undefined;
          const outcome = await all[random.int(0, 2)]!.call(...payers[which]!, {
            worstCase,
            price,
            until: sleep(random.int(0, 20)),
            during: async (call) => {
              if (next) await call.moveTo({ worstCase: next, source: 'platform' }).catch(() => undefined);
            },
          });
          if (outcome === 'done') billed[which]! += price;
        }),
      );

    for (const [at, [accountNo]] of payers.entries()) expect(await stage.spent(accountNo)).toBe(billed[at]);
    expect(billed[1]!).toBeLessThanOrEqual(2_500n);
    expect(billed[2]!).toBeLessThanOrEqual(4_000n);
  }, 60_000);
});
