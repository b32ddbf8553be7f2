import { Client } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { JournalStage, PRICE } from '../../../../test/support/money/journal-stage.js';
import { LeaseStage } from '../../../../test/support/money/lease-stage.js';
import { SystemClock } from '../../../kernel/clock.js';
import { newId } from '../../../kernel/ids.js';
import { Sweeper } from '../../sweeper.js';
import { closeLease } from '../leases/lease-changes.js';
import type { CreditLease } from '../leases/credit-lease.js';
import { Journal } from './journal.js';
import { LocalCommits } from './local-commits.driver.js';

describe('a call in the journal', () => {
  let stage: LeaseStage;
  let on: JournalStage;
  beforeAll(async () => {
    stage = await LeaseStage.open();
  });
  beforeEach(async () => {
    on = await JournalStage.open(stage);
  });
  afterEach(() => stage.settle());
  afterAll(() => stage.close());

  it('is written once if another call of its batch, which is settled at once, has an error', async () => {
    const before = await on.spent();
    const commits = new LocalCommits(stage.sql);
    const call = on.ended();
    // The lease does not have this amount.
    const impossible = on.ended({ isJournaled: false }, 1_000_000_000_000n);
    const outcomes = await Promise.allSettled([call, impossible].map((each) => commits.finishLeased(each)));
    await stage.post();

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect([await on.spent(), await on.recorded(call.id)]).toEqual([before + PRICE, 1]);
  });

  it('is posted, whatever its age, before its service closes the lease', async () => {
    const before = await on.spent();
    const call = on.ended();
    await on.writeBy(stage.sql, call);
    await stage.sql.query(`update ledger_journal set at = at - interval '1 h' where account_no = $1`, [on.of[0]]);
    await closeLease(stage.sql, { id: on.leaseId, accountNo: on.of[0], keyNo: on.of[1] } as CreditLease);

    expect([await on.spent(), await on.recorded(call.id), await on.entries()]).toEqual([before + PRICE, 1, 0]);
    expect(await stage.leased(on.of[0])).toBe(0n);
  });

  it('that is being written is posted before its service closes the lease', async () => {
    const before = await on.spent();
    const call = on.ended();
    const other = await on.writing(call);
    const closing = closeLease(stage.sql, { id: on.leaseId, accountNo: on.of[0], keyNo: on.of[1] } as CreditLease);
    await sleep(200);
    await other.commit();
    await closing;

    expect([await on.spent(), await on.recorded(call.id), await on.entries()]).toEqual([before + PRICE, 1, 0]);
  });

  it('is settled at its price if its lease has less than the call holds', async () => {
    const before = await on.spent();
    const [call, other] = [on.ended({}, 1_000_000_000_000n), on.ended()];
    await new Journal(stage.sql).write([call, other]);
    await stage.post();

    expect([await on.spent(), await on.entries()]).toEqual([before + 2n * PRICE, 0]);
    expect([await on.recorded(call.id), await on.recorded(other.id)]).toEqual([1, 1]);
  });

  it('becomes an anomaly if it violates a constraint, and delays no other call', async () => {
    const before = await on.spent();
    const [call, other] = [on.ended(), on.ended()];
    // A reservation of the same id, in a window that ends.
    await stage.sql.query(
      `insert into reservation (id, generation_id, account_no, key_no, account_amount, key_amount, created_at, deadline,
         state)
       values ($1, $1, $2, $3, 0, 0, now(), now() + interval '1 h', 'reserved')`,
      [call.id, ...on.of],
    );
    await stage.sql.query(`update key_balance set day_start = day_start - 1 where account_no = $1`, [on.of[0]]);
    await new Journal(stage.sql).write([call, other]);
    await stage.post();

    expect([await on.spent(), await on.entries(), await on.recorded(call.id)]).toEqual([before + PRICE, 0, 0]);
    const anomalies = await stage.sql.query('select from billing_anomaly where generation_id = $1', [call.id]);
    expect(anomalies).toHaveLength(1);
    await stage.sql.query(`update reservation set state = 'released' where id = $1`, [call.id]);
  });

  it('is settled once if it is settled at once, even if the server executes the first attempt last', async () => {
    const before = await on.spent();
    const commits = new LocalCommits(stage.sql);
    const call = on.ended({ isJournaled: false });

    expect(await commits.finishLeased(on.repeated(call))).toBe('done');
    expect(await commits.finishLeased(call)).toBe('done');
    expect([await on.spent(), await on.recorded(call.id)]).toEqual([before + PRICE, 1]);
  });

  it('of an account is posted, and reservations are swept, even if another account cannot be posted', async () => {
    const later = await JournalStage.open(stage);
    const before = await later.spent();
    await later.writeBy(stage.sql, later.ended());
    await stage.sql.query(
      `insert into ledger_journal (account_no, lease_id, key_day, open_count, items, usages, details)
       values ($1, $2, 'key day', 0, 'unreadable', '', '')`,
      [on.of[0], on.leaseId],
    );
    const overdue = newId();
    await stage.sql.query(
      `insert into reservation (id, generation_id, account_no, key_no, account_amount, key_amount, created_at, deadline,
         state)
       values ($1, $1, $2, $3, 0, 0, now(), now() - interval '1 h', 'reserved')`,
      [overdue, ...later.of],
    );
    const { ledger } = await stage.start({ leaseMs: 1 });
    await expect(ledger.postAll()).rejects.toThrow(/malformed|invalid/);
    expect(await later.spent()).toBe(before + PRICE);
    await new Sweeper(ledger, new SystemClock()).sweep();
    const swept = await stage.sql.query('select from reservation where id = $1 and state <> $2', [overdue, 'reserved']);
    expect(swept).toHaveLength(1);
    await stage.sql.query('delete from ledger_journal where account_no = $1', [on.of[0]]);
  });

  it('does not stop a reader while the account is locked', async () => {
    await on.writeBy(stage.sql, on.ended());
    const client = new Client(stage.database.url);
    await client.connect();
    await client.query('begin');
    await client.query('select from account_balance where account_no = $1 for update', [on.of[0]]);
    await on.service.balances.postCalls({ accountNo: on.of[0] });
    expect(await on.entries()).toBe(1);
    await client.query('commit');
    await client.end();
    await stage.post();
  });
});
