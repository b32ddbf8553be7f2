import { budgetSums } from '../../../test/support/money/budget-rows.js';
import { LeaseStage, PLENTY, RECORD, type PayerNos } from '../../../test/support/money/lease-stage.js';
import { SystemClock } from '../../kernel/clock.js';
import { generationDetail } from '../../usage/generation-detail.js';
import type { GenerationRecord } from '../../usage/generation-record.js';
import type { NewBudget } from '../budget.js';
import { Budgets } from '../budgets.js';
import { BudgetSweeper } from './budget-sweeper.js';

describe('a budget that is created in the middle of a window', () => {
  let stage: LeaseStage;
  beforeAll(async () => {
    stage = await LeaseStage.open();
  });
  afterEach(() => stage.settle());
  afterAll(() => stage.close());

  const recordOf = (tags?: readonly string[], sessionId?: string): GenerationRecord => ({
    ...RECORD,
    workspace_no: 3,
    detail: generationDetail({ tags, sessionId }),
  });
  /** Creates a budget. Returns its number, its spend, and the spend for each value of `each`. */
  const made = async ([accountNo]: PayerNos, budget: Omit<NewBudget, 'interval' | 'limit'>, now = new Date()) => {
    const budgets = new Budgets(stage.sql, { now: () => now });
    const { no } = await budgets.create(
      { accountNo, accountId: 'its id', isOperator: false },
      { ...budget, interval: 'weekly', limit: 1_000_000n },
      async () => undefined,
    );
    const rows = await stage.sql.query<{ value: string; spent: bigint }>(
      'select value, spent from budget_balance where budget_no = $1 order by value',
      [no],
    );
    return {
      no,
      spent: (await budgetSums(stage.sql, no)).spent,
      values: rows.map(({ value, spent }) => [value, spent]),
    };
  };

  it('starts with the spend of earlier matching calls, settled one by one, in a batch or on a lease', async () => {
    const of = await stage.payer(PLENTY);
    const service = await stage.start();
    const call = (price: bigint, tags?: string[], sessionId?: string) =>
      service.call(...of, { worstCase: 10n, price, record: recordOf(tags, sessionId) });
    // The calls are settled one by one, in a batch, and on a lease.
    await call(1n, ['a'], 's1');
    await call(2n, ['a', 'b "c"']);
    await call(3n);
    await Promise.all([call(4n, ['a']), call(5n, ['d']), call(6n, undefined, 's1')]);
    await stage.warmUp(service, of);
    const before = await stage.reservations(of[0]);
    await call(7n, ['a', 'd'], 's2');
    await Promise.all([call(8n, ['b "c"']), call(9n, ['a']), call(10n)]);
    expect(await stage.reservations(of[0])).toBe(before);

    expect(await made(of, { scope: { tag: 'a' } })).toMatchObject({ spent: 1n + 2n + 4n + 7n + 9n });
    expect(await made(of, { scope: { tag: 'a', workspace: 3 } })).toMatchObject({ spent: 23n });
    expect(await made(of, { scope: { tag: 'a', workspace: 4 } })).toMatchObject({ spent: 0n });
    expect(await made(of, { scope: { tag: 'none' } })).toMatchObject({ spent: 0n });
    expect(await made(of, { scope: { tag: 'a', session: 's1' } })).toMatchObject({ spent: 1n });
    expect(await made(of, { scope: {}, each: 'tag' })).toMatchObject({
      values: [
        ['a', 23n],
        ['b "c"', 10n],
        ['d', 12n],
      ],
    });
    expect(await made(of, { scope: { tag: 'a' }, each: 'session' })).toMatchObject({
      values: [
        ['s1', 1n],
        ['s2', 7n],
      ],
    });
  });

  it('includes, after a sweep, the calls that were settled before every service had loaded the budget', async () => {
    const of = await stage.payer(PLENTY);
    const service = await stage.start();
    const { no } = await made(of, { scope: { tag: 'a' } }, new Date(Date.now() - 7_000));
    // The service reserves this call without the budget, as if it had not loaded the budget yet.
    await service.call(...of, { worstCase: 10n, price: 4n, record: recordOf(['a']) });
    await new BudgetSweeper(stage.sql, new SystemClock()).sweep();

    expect(await budgetSums(stage.sql, no)).toMatchObject({ spent: 4n });
  });
});
