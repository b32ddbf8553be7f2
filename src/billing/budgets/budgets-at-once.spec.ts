import { eventually } from '../../../test/support/eventually.js';
import { budgetSums, insertBudget } from '../../../test/support/money/budget-rows.js';
import { LeaseStage, PLENTY } from '../../../test/support/money/lease-stage.js';
import type { Sql } from '../../database/sql.js';

describe('budgets of concurrent calls', () => {
  let stage: LeaseStage;
  let sql: Sql;
  beforeAll(async () => {
    stage = await LeaseStage.open();
    ({ sql } = stage);
  });
  afterEach(() => stage.settle());
  afterAll(() => stage.close());

  const subject = { workspaceNo: 7, creatorUserId: 'member', endUser: 'end user', tags: ['tag'] };

  it('enforce the lowest of six limits to the nano-dollar, with 1,000 calls on two services', async () => {
    const of = await stage.payer(PLENTY);
    const scopes = [
      { scope: { workspace: 7 }, limit: 20_000n },
      { scope: { workspace: 7 }, interval: 'monthly', limit: 10_000n },
      { scope: { workspace: 7, user: 'member' }, interval: 'weekly', limit: 5_000n },
      { scope: { end_user: 'end user' }, interval: 'daily', limit: 3_000n },
      { scope: { tag: 'tag' }, limit: 1_370n + 9n },
      { scope: { key: of[1] }, interval: 'daily', limit: 4_000n },
    ] as const;
    const numbers: number[] = [];
    for (const columns of scopes) numbers.push(await insertBudget(sql, of[0], columns));
    const services = [await stage.start(), await stage.start()];
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const calls = Array.from({ length: 1_000 }, (_, at) =>
      services[at % 2]!.call(...of, { worstCase: 10n, price: 10n, until: end, subject }),
    );
    const refused = Promise.all(calls.map((call) => Promise.race([call, end.then(() => undefined)])));
    await eventually(async () => expect((await budgetSums(sql, numbers[4]!)).reserved).toBe(1_370n), 20_000);
    resolve();
    await refused;
    const outcomes = await Promise.all(calls);

    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(137);
    for (const no of numbers) expect((await budgetSums(sql, no)).spent).toBe(1_370n);
    const refusal = outcomes.find((outcome) => outcome !== 'done');
    expect(refusal).toMatch(/^Tag lifetime budget of \$0\.000001379 (does not cover|exceeded)/);
  }, 60_000);

  it('are part of a credit lease, so that later calls need no separate reservation', async () => {
    const of = await stage.payer(PLENTY);
    const no = await insertBudget(sql, of[0], { scope: { workspace: 7 }, interval: 'monthly', limit: 1_000_000n });
    const service = await stage.start();
    let calls = 0;
    for (; (await stage.leased(of[0])) === 0n; calls++)
      expect(await service.call(...of, { worstCase: 10n, price: 1n, subject })).toBe('done');
    const before = await stage.reservations(of[0]);
    for (let more = 0; more < 5; more++)
      expect(await service.call(...of, { worstCase: 10n, price: 7n, subject })).toBe('done');

    expect(await stage.reservations(of[0])).toBe(before);
    expect((await budgetSums(sql, no)).spent).toBe(BigInt(calls) + 35n);
  });

  it('refuse a call only after the idle amount of the lease of another service was recalled', async () => {
    const of = await stage.payer(PLENTY);
    await insertBudget(sql, of[0], { scope: { workspace: 7 }, limit: 10_000n });
    const [one, other] = [await stage.start(), await stage.start()];
    let calls = 0n;
    for (; (await stage.leased(of[0])) === 0n; calls++) await one.call(...of, { worstCase: 10n, price: 1n, subject });
    const worstCase = 10_000n - calls;

    expect(await other.call(...of, { worstCase, price: 1n, subject })).toBe('done');
  });
});
