import { insertBudget } from '../../../../test/support/money/budget-rows.js';
import { eventually } from '../../../../test/support/eventually.js';
import { LeaseService } from '../../../../test/support/money/lease-service.js';
import { LeaseStage, PLENTY, RECORD, type PayerNos } from '../../../../test/support/money/lease-stage.js';
import type { Sql } from '../../../database/sql.js';
import { SystemClock } from '../../../kernel/clock.js';
import { newId } from '../../../kernel/ids.js';
import { Sweeper } from '../../sweeper.js';

const LEASE_MS = 3_000;
const NEVER = new Promise<never>(() => undefined);

describe('calls that are lost because their service died', () => {
  let stage: LeaseStage;
  let sql: Sql;
  let dead: LeaseService;
  let of: PayerNos;
  beforeAll(async () => {
    stage = await LeaseStage.open();
    ({ sql } = stage);
  });
  beforeEach(async () => {
    dead = new LeaseService(stage.database.url, RECORD, { leaseMs: LEASE_MS });
    await dead.start();
    of = await stage.payer(PLENTY);
    // The calls also count in a budget, so that the sweep must release their amounts in the budget too.
    await insertBudget(sql, of[0], { scope: { key: of[1] }, interval: 'daily', limit: BigInt(PLENTY) });
    await stage.warmUp(dead, of);
  });
  afterEach(() => stage.settle());
  afterAll(() => stage.close());

  const open = (count: number): void => {
    for (let call = 0; call < count; call++) void dead.call(...of, { worstCase: 10n, price: 7n, until: NEVER });
  };
  const lease = async (): Promise<{ listed: number; open: number; deadline: Date }> =>
    (
      await sql.query<{ listed: number; open: number; deadline: Date }>(
        `select coalesce(jsonb_array_length(open_calls), 0) as listed, open_count as open, deadline from reservation
         where account_no = $1 and state = 'reserved' and lends_until is not null`,
        [of[0]],
      )
    )[0]!;
  const renewed = async (): Promise<void> => {
    const before = (await lease()).deadline.getTime();
    await eventually(async () => expect((await lease()).deadline.getTime()).not.toBe(before), 5_000);
  };
  const settleOne = async (): Promise<void> => {
    expect(await dead.call(...of, { worstCase: 10n, price: 7n })).toBe('done');
    await stage.post();
  };
  /** Ends the service, and waits until its lease is swept. */
  const die = async (): Promise<void> => {
    await dead.abandon();
    const sweeper = new Sweeper((await stage.start({ leaseMs: 1 })).ledger, new SystemClock());
    await eventually(async () => {
      await sweeper.sweep();
      const reserved = await sql.query(`select 1 from reservation where account_no = $1 and state = 'reserved'`, [
        of[0],
      ]);
      expect(reserved).toEqual([]);
    }, 10_000);
  };
  const counted = async (): Promise<{ lost: bigint; unlisted: bigint }> =>
    (
      await sql.query<{ lost: bigint; unlisted: bigint }>(
        'select unknown_outcomes as lost, unlisted_outcomes as unlisted from account_balance where account_no = $1',
        [of[0]],
      )
    )[0]!;
  const anomalies = (): Promise<{ named: boolean; details: object }[]> =>
    sql.query(
      `select generation_id is not null as named, details from billing_anomaly
       where account_no = $1 and kind = 'outcome_unknown' order by id`,
      [of[0]],
    );

  it('each have an anomaly if a renewal of their lease listed them', async () => {
    open(1);
    await eventually(async () => expect((await lease()).listed).toBe(1), 5_000);
    await die();

    expect(await counted()).toEqual({ lost: 1n, unlisted: 0n });
    expect(await anomalies()).toEqual([
      { named: true, details: { model: 'vendor/model', account_nano: '10', key_nano: '10' } },
    ]);
  }, 30_000);

  it('are counted by the last settlement on their lease if they began after its last renewal', async () => {
    open(2);
    await renewed();
    open(3);
    await settleOne();
    const { account_amount: held, ...row } = (
      await sql.query<{ account_amount: bigint; open_calls: object[]; open_count: number }>(
        `select account_amount, open_calls, open_count from reservation
         where account_no = $1 and state = 'reserved' and lends_until is not null`,
        [of[0]],
      )
    )[0]!;
    expect([row.open_calls.length, row.open_count]).toEqual([2, 5]);
    await die();

    expect(await counted()).toEqual({ lost: 5n, unlisted: 3n });
    const listed = { named: true, details: { model: 'vendor/model', account_nano: '10', key_nano: '10' } };
    const others = { calls: 3, account_nano: held.toString(), key_nano: held.toString() };
    expect(await anomalies()).toEqual([listed, listed, { named: false, details: others }]);
  }, 30_000);

  it('do not include calls that were settled or left the lease after the renewal that listed them', async () => {
    const end = Promise.withResolvers<void>();
    const settled = dead.call(...of, { worstCase: 10n, price: 7n, until: end.promise });
    const moved = Promise.withResolvers<void>();
    void dead.call(...of, {
      worstCase: 10n,
      price: 7n,
      until: end.promise,
      during: async (call) => {
        await call.moveTo({ worstCase: BigInt(PLENTY) / 2n, source: 'platform' });
        moved.resolve();
        await NEVER;
      },
    });
    await eventually(async () => expect((await lease()).listed).toBe(2), 5_000);
    end.resolve();
    await Promise.all([settled, moved.promise]);
    await settleOne();
    expect((await lease()).open).toBe(0);
    await die();

    // The call that left the lease is lost with its own reservation.
    expect(await counted()).toEqual({ lost: 1n, unlisted: 0n });
    expect(await anomalies()).toEqual([]);
  }, 30_000);

  it('are counted only from the list of their lease if their service runs the previous version', async () => {
    const id = (
      await sql.query<{ id: string }>(`select id from reservation where account_no = $1 and lends_until is not null`, [
        of[0],
      ])
    )[0]!.id;
    await dead.abandon();
    const call = { id: newId(), at: new Date().toISOString(), model: 'm', account_nano: '1', key_nano: '1' };
    await sql.query(
      `select * from ledger_lease(1, 1, array[row($1, $2, $3, now(), 0, 0, 1, false, $4)::ledger_lease_item], 1000)`,
      [id, ...of, JSON.stringify([call])],
    );
    await sql.query(`update reservation set open_count = null, deadline = '2026-01-01' where id = $1`, [id]);
    await sql.query('select * from ledger_release_overdue(clock_timestamp(), 10)');

    expect(await counted()).toEqual({ lost: 1n, unlisted: 0n });
  });
});
