import { randomBytes } from 'node:crypto';
import { eventually } from '../../../test/support/eventually.js';
import { budgetSums, insertBudget } from '../../../test/support/money/budget-rows.js';
import type { LeasedSpend } from '../../../test/support/money/lease-service.js';
import { LeaseStage, PLENTY, type PayerNos } from '../../../test/support/money/lease-stage.js';
import type { Sql } from '../../database/sql.js';
import { SystemClock } from '../../kernel/clock.js';
import type { SessionBudget } from '../../kernel/principal.js';
import { BudgetSweeper } from './budget-sweeper.js';

describe('the limit of a session', () => {
  let stage: LeaseStage;
  let sql: Sql;
  let of: PayerNos;
  beforeAll(async () => {
    stage = await LeaseStage.open();
    ({ sql } = stage);
  });
  beforeEach(async () => {
    of = await stage.payer(PLENTY);
  });
  afterEach(() => stage.settle());
  afterAll(() => stage.close());

  /** The budget of the key's sessions, as services read it. */
  const budget = async (): Promise<SessionBudget> =>
    (
      await sql.query<SessionBudget>(
        'select no, limited_by_calls as "isLimitedByCalls" from budget where session_key_no = $1',
        [of[1]],
      )
    )[0]!;
  /** Sets the session limit in the key's settings. */
  const setLimit = async (limit: bigint | null): Promise<SessionBudget> =>
    sql.query('update api_key set session_limit_nano = $2 where no = $1', [of[1], limit]).then(budget);
  const spend = (subject: LeasedSpend['subject'], amount = 10n): LeasedSpend => ({
    worstCase: amount,
    price: amount,
    subject,
  });

  it.each(['the settings', 'a header'])(
    'is enforced to the nano-dollar if it is set by %s (200 concurrent calls on two services)',
    async (source) => {
      const services = [await stage.start(), await stage.start()];
      const subject =
        source === 'a header'
          ? { session: 'one', sessionLimit: 379n }
          : { session: 'one', sessionBudget: await setLimit(379n) };
      const { promise: until, resolve } = Promise.withResolvers<void>();
      const calls = Array.from({ length: 200 }, (_, at) => services[at % 2]!.call(...of, { ...spend(subject), until }));
      const no = await eventually(async () => {
        const found = (await budget()).no;
        expect((await budgetSums(sql, found)).reserved).toBe(370n);
        return found;
      }, 20_000);
      resolve();
      const outcomes = await Promise.all(calls);

      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(37);
      expect(new Set(outcomes.filter((outcome) => outcome !== 'done'))).toEqual(
        new Set([
          'Session lifetime budget of $0.000000379 does not cover the maximum cost of this request. Send a ' +
            'smaller request, or contact your org admin.',
        ]),
      );
      expect(await budgetSums(sql, no)).toMatchObject({ spent: 370n, reserved: 0n });
    },
    60_000,
  );

  it('is the lowest limit that any call of the session has stated', async () => {
    const [one, other] = [await stage.start(), await stage.start()];
    expect(await one.call(...of, spend({ session: 'a', sessionLimit: 40n }))).toBe('done');
    const sessionBudget = await budget();
    expect(await other.call(...of, spend({ session: 'a', sessionLimit: 100n, sessionBudget }))).toBe('done');
    expect(await other.call(...of, spend({ session: 'a', sessionLimit: 30n, sessionBudget }))).toBe('done');
    expect(await one.call(...of, spend({ session: 'a', sessionLimit: 100n }, 1n))).toMatch(/^Session .* exceeded/);
    expect(await one.call(...of, spend({ session: 'a' }, 1n))).toMatch(/^Session lifetime budget of \$0\.00000003 /);
    expect(await one.call(...of, spend({ session: 'b' }, 1_000n))).toBe('done');
  });

  it('applies even if the call that set the limit was refused', async () => {
    const service = await stage.start();
    expect(await service.call(...of, spend({ session: 'a', sessionLimit: 5n }))).toMatch(/does not cover/);
    expect(await service.call(...of, spend({ session: 'a' }))).toMatch(/does not cover/);
    expect(await service.call(...of, spend({ session: 'a' }, 5n))).toBe('done');
  });

  it('in the settings of a key applies to all sessions of this key, and changes apply to the next call', async () => {
    const service = await stage.start();
    const sessionBudget = await setLimit(20n);
    const call = (session: string, more: LeasedSpend['subject'] = {}) =>
      service.call(...of, spend({ session, sessionBudget, ...more }));
    expect([await call('a'), await call('a'), await call('b')]).toEqual(['done', 'done', 'done']);
    expect(await call('a')).toMatch(/exceeded/);
    expect(await call('b', { sessionLimit: 1_000n })).toBe('done');
    expect(await call('b', { sessionLimit: 1_000n })).toMatch(/exceeded/);
    await setLimit(30n);
    expect([await call('a'), await call('b', { sessionLimit: 20n })]).toEqual([
      'done',
      expect.stringMatching(/exceeded/),
    ]);
    await setLimit(null);
    expect([await call('a'), await call('b')]).toEqual(['done', expect.stringMatching(/exceeded/)]);
    const [, keyNo] = await stage.payer(PLENTY);
    expect(await sql.query('select no from budget where session_key_no = $1', [keyNo])).toEqual([]);
  });

  it('counts spend on own credentials if the limit of the key counts such spend', async () => {
    const service = await stage.start();
    const sessionBudget = await setLimit(20n);
    const own = (countsByok: boolean, session: string) =>
      service.call(...of, { ...spend({ session, sessionBudget, countsByok }), source: 'own_credential' });
    for (let calls = 0; calls < 3; calls++) expect(await own(false, 'a')).toBe('done');
    await sql.query('update api_key set include_byok_in_limit = true where no = $1', [of[1]]);
    expect([await own(true, 'b'), await own(true, 'b')]).toEqual(['done', 'done']);
    expect(await own(true, 'b')).toMatch(/exceeded/);
  });

  it('lets calls without a session use the credit lease of the key', async () => {
    const service = await stage.start();
    const sessionBudget = await setLimit(30n);
    await stage.warmUp(service, of);
    const before = await stage.reservations(of[0]);
    const calls = Array.from({ length: 40 }, (_, at) =>
      service.call(...of, spend(at % 2 ? { sessionBudget } : { session: 'a', sessionBudget })),
    );
    const outcomes = await Promise.all(calls);

    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(23);
    expect(await stage.reservations(of[0])).toBe(before + 3);
    expect(await budgetSums(sql, sessionBudget.no)).toMatchObject({ spent: 30n, reserved: 0n });
  });

  it('applies when a call moves to its next attempt, and nothing stays reserved', async () => {
    const service = await stage.start();
    const subject = { session: 'a', sessionBudget: await setLimit(30n) };
    const moved = (worstCase: bigint) =>
      service.call(...of, {
        ...spend(subject),
        during: (call) => call.moveTo({ worstCase, source: 'platform' }),
      });
    expect([await moved(30n), await moved(21n)]).toEqual(['done', expect.stringMatching(/does not cover/)]);
    expect(await budgetSums(sql, subject.sessionBudget.no)).toMatchObject({ spent: 10n, reserved: 0n });
  });

  it('applies to sessions with any text as their id', async () => {
    const service = await stage.start();
    const long = randomBytes(10_000).toString('base64url');
    await insertBudget(sql, of[0], { each: 'session', limit: 1_000n });
    for (const session of [`${long}1`, `${long}2`, 'a\0b', '\ud800'])
      expect([
        await service.call(...of, spend({ session, sessionLimit: 15n })),
        await service.call(...of, spend({ session, sessionLimit: 15n })),
      ]).toEqual(['done', expect.stringMatching(/does not cover/)]);
  });

  it('is deleted 24 hours after the last call of the session', async () => {
    const service = await stage.start();
    await service.call(...of, spend({ session: 'a', sessionLimit: 10n }));
    await service.call(...of, spend({ session: 'b', sessionLimit: 10n }));
    const { no } = await budget();
    const age = (hours: number, session: string) =>
      sql.query(
        `update budget_balance set used_at = used_at - $3 * interval '1 hour' where budget_no = $1 and value = $2`,
        [no, session, hours],
      );
    await age(25, 'a');
    await age(23, 'b');
    await new BudgetSweeper(sql, new SystemClock()).sweep();

    expect(await sql.query('select value from budget_balance where budget_no = $1', [no])).toEqual([{ value: 'b' }]);
    expect(await service.call(...of, spend({ session: 'b' }))).toMatch(/exceeded/);
    expect(await service.call(...of, spend({ session: 'a' }, 100n))).toBe('done');
  });

  it('is not a budget of the account: it causes no threshold events and no new version of the budgets', async () => {
    const service = await stage.start();
    await service.call(...of, spend({ session: 'a', sessionBudget: await setLimit(10n) }));
    expect(await sql.query(`select type from event where account_no = $1 and type like 'budget.%'`, [of[0]])).toEqual(
      [],
    );
    const [before] = await sql.query<{ version: bigint }>('select version from budget_version');
    await setLimit(20n);
    expect(await sql.query('select version from budget_version')).toEqual([before]);
  });
});
