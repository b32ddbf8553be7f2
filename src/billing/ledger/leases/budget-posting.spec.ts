import { eventually } from '../../../../test/support/eventually.js';
import { budgetSums, insertBudget } from '../../../../test/support/money/budget-rows.js';
import { LeaseService } from '../../../../test/support/money/lease-service.js';
import { LeaseStage, PLENTY, RECORD, type PayerNos } from '../../../../test/support/money/lease-stage.js';
import { countBudget, lockBudgets } from '../../budgets/budget-counts.js';

const CALLS = 5;
const PRICE = 7n;

describe('the spend that a credit lease adds to a budget', () => {
  let stage: LeaseStage;
  let service: LeaseService;
  let of: PayerNos;
  let no: number;
  beforeAll(async () => {
    stage = await LeaseStage.open();
  });
  beforeEach(async () => {
    service = new LeaseService(stage.database.url, RECORD, { leaseMs: 3_000 });
    await service.start();
    of = await stage.payer(PLENTY);
    no = await insertBudget(stage.sql, of[0], { scope: { key: of[1] }, interval: 'daily', limit: BigInt(PLENTY) });
    await stage.warmUp(service, of);
  });
  afterEach(() => stage.settle());
  afterAll(() => stage.close());

  const spend = async (): Promise<void> => {
    for (let call = 0; call < CALLS; call++)
      expect(await service.call(...of, { worstCase: 10n, price: PRICE })).toBe('done');
  };
  /** The spend in the row of the budget. */
  const posted = async (): Promise<bigint> =>
    (await stage.sql.query<{ spent: bigint }>('select spent from budget_balance where budget_no = $1', [no]))[0]!.spent;
  const unposted = async (): Promise<bigint> => (await stage.spent(of[0])) - (await posted());

  it('counts immediately, and is posted to the row of the budget by the next renewal of the lease', async () => {
    await eventually(async () => expect(await unposted()).toBe(0n), 5_000);
    await spend();

    expect((await budgetSums(stage.sql, no)).spent).toBe(await stage.spent(of[0]));
    await eventually(async () => expect(await unposted()).toBe(0n), 5_000);
    await service.stop();
  });

  it('is not counted twice if the budget is counted from the records before the spend is posted', async () => {
    await eventually(async () => expect(await unposted()).toBe(0n), 5_000);
    await spend();
    await stage.sql.transaction(async (session) => {
      await lockBudgets(session, of[0]);
      const budget = { no, account_no: of[0], scope: { key: of[1] }, each: null, reset: 'daily' };
      await countBudget(budget, new Date(), session);
    });

    expect(await unposted()).toBe(0n);
    await service.stop();
    expect((await budgetSums(stage.sql, no)).spent).toBe(await stage.spent(of[0]));
  });

  it('is posted by the sweep if the service died', async () => {
    await eventually(async () => expect(await unposted()).toBe(0n), 5_000);
    await spend();
    await service.abandon();
    await eventually(async () => {
      await stage.sql.query('select * from ledger_release_overdue(clock_timestamp(), 10)');
      expect(await stage.leased(of[0])).toBe(0n);
    }, 10_000);

    expect(await unposted()).toBe(0n);
  }, 20_000);

  it('is posted when the lease ends', async () => {
    await spend();
    await service.stop();

    expect(await unposted()).toBe(0n);
  });
});
