import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../../../test/support/eventually.js';
import { JournalStage, PRICE } from '../../../../test/support/money/journal-stage.js';
import { LeaseStage, RECORD } from '../../../../test/support/money/lease-stage.js';
import { SystemClock } from '../../../kernel/clock.js';
import { generationDetail, type GenerationDetail } from '../../../usage/generation-detail.js';
import { Sweeper } from '../../sweeper.js';
import { recordTexts } from '../ledger-rows.js';
import { Journal } from './journal.js';
import { LocalCommits } from './local-commits.driver.js';

const taggedWith = (tag: string): GenerationDetail =>
  generationDetail({ tags: [tag], upstreamId: tag, cancelled: false, usageEstimated: false });

describe('the journal of calls on credit leases', () => {
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

  it('has a call that ended until the call is posted, and is then empty', async () => {
    const before = await on.spent();
    const journal = new Journal(stage.sql);
    const call = on.ended();

    expect(await journal.write([call])).toEqual(new Set([call]));
    expect([await on.entries(), await on.spent()]).toEqual([1, before]);
    await journal.post();
    expect([await on.entries(), await on.spent(), await on.recorded(call.id)]).toEqual([0, before + PRICE, 1]);
  });

  it('is posted within a second without a reader', async () => {
    const before = await on.spent();
    await new Journal(stage.sql).write([on.ended(), on.ended()]);

    await eventually(async () => expect(await on.spent()).toBe(before + 2n * PRICE), 1_000);
  });

  it('has many calls in entries that fit into a page, and posts all of them, with their tags', async () => {
    const before = await on.spent();
    const calls = Array.from({ length: 100 }, (_, at) =>
      on.ended(at % 2 ? {} : recordTexts({ ...RECORD, detail: taggedWith(`say "${at}", {é}\\`) }, PRICE)),
    );
    const journal = new Journal(stage.sql);
    await journal.write(calls);

    const [largest] = await stage.sql.query<{ bytes: number; rows: bigint }>(
      `select max(pg_column_size(j.*)) as bytes, count(*) as rows from ledger_journal j where account_no = $1`,
      [on.of[0]],
    );
    expect(largest!.bytes).toBeLessThan(8_000);
    expect(largest!.rows).toBeGreaterThan(1n);
    await journal.post();
    expect(await on.spent()).toBe(before + 100n * PRICE);
    const tagged = await stage.sql.query<{ tags: string[]; upstream_id: string }>(
      'select tags, upstream_id from generation_detail where account_no = $1 and tags is not null',
      [on.of[0]],
    );
    expect(tagged.every(({ tags, upstream_id: id }) => tags[0] === id)).toBe(true);
    expect(new Set(tagged.map(({ tags }) => tags[0]))).toEqual(new Set(calls.flatMap(({ tags }) => tags ?? [])));
  });

  it('does not take a call whose lease is closed; the call is lost', async () => {
    await on.closeLease();
    const call = on.ended();

    expect(await new Journal(stage.sql).write([call])).toEqual(new Set());
    expect(await new LocalCommits(stage.sql).finishLeased(call)).toBe('lost');
    expect(await on.entries()).toBe(0);
  });

  it('takes no call of a lease after a call was repeated, so that a delayed first write has no effect', async () => {
    const before = await on.spent();
    const call = on.ended();

    expect(await new LocalCommits(stage.sql).finishLeased(on.repeated(call))).toBe('done');
    expect(await new Journal(stage.sql).write([call])).toEqual(new Set());
    // A renewal that was sent before does not allow it either.
    const [outcome] = await stage.sql.query<{ outcome: string }>(
      `select outcome from ledger_lease(30000, 4000, array[($1, $2, $3, now(), 0, 0, 1, true, null)::ledger_lease_item],
         null)`,
      [on.leaseId, ...on.of],
    );
    expect(outcome).toEqual({ outcome: 'drains' });
    expect(await new Journal(stage.sql).write([call])).toEqual(new Set());
    await stage.post();
    expect([await on.spent(), await on.recorded(call.id)]).toEqual([before + PRICE, 1]);
  });

  it('settles a repeated call once, even while its first write is not committed yet', async () => {
    const before = await on.spent();
    const call = on.ended();
    const other = await on.writing(call);
    let outcome = 'open';
    const finishing = new LocalCommits(stage.sql).finishLeased(on.repeated(call)).then((done) => (outcome = done));
    await sleep(200);
    expect(outcome).toBe('open');
    await other.commit();
    await finishing;

    expect([outcome, await on.spent(), await on.recorded(call.id), await on.entries()]).toEqual([
      'done',
      before + PRICE,
      1,
      0,
    ]);
  });

  it('is posted before its lease is swept, also the entry that is being written', async () => {
    const before = await on.spent();
    const call = on.ended();
    const other = await on.writing(call);
    await on.service.abandon();
    await stage.sql.query(`update reservation set deadline = now() where account_no = $1 and id = $2`, [
      on.of[0],
      on.leaseId,
    ]);
    const sweeper = new Sweeper((await stage.start({ leaseMs: 1 })).ledger, new SystemClock());
    const sweeping = eventually(async () => {
      await sweeper.sweep();
      expect(await stage.leased(on.of[0])).toBe(0n);
    });
    await sleep(200);
    await other.commit();
    await sweeping;

    expect([await on.spent(), await on.recorded(call.id), await on.entries()]).toEqual([before + PRICE, 1, 0]);
  });

  it('of a service that died is posted by the sweeper of another service', async () => {
    const before = await on.spent();
    await on.writeBy(stage.sql, on.ended());
    await stage.sql.query(`update ledger_journal set at = at - interval '1 min' where account_no = $1`, [on.of[0]]);
    await stage.sql.query('select ledger_post_journal($1, 10000)', [on.of[0]]);
    expect(await on.spent()).toBe(before);
    await new Sweeper(on.service.ledger, new SystemClock()).sweep();

    expect([await on.entries(), await on.spent()]).toEqual([0, before + PRICE]);
  });

  it('makes a call that cannot be settled an anomaly', async () => {
    const call = on.ended();
    await new Journal(stage.sql).write([call]);
    await on.closeLease();
    await stage.post();

    expect([await on.entries(), await on.recorded(call.id)]).toEqual([0, 0]);
    const anomalies = await stage.sql.query<{ kind: string; details: object }>(
      'select kind, details from billing_anomaly where account_no = $1 and generation_id = $2',
      [on.of[0], call.id],
    );
    expect(anomalies).toEqual([
      {
        kind: 'settlement_failed',
        details: { cost_nano: '7', reason: 'the call could not be posted from the journal' },
      },
    ]);
  });

  it('is posted for a reader of the account, and for the operator for all accounts', async () => {
    const before = await on.spent();
    await on.writeBy(stage.sql, on.ended());
    await on.service.balances.postCalls({ accountNo: on.of[0] + 1 });
    expect(await on.spent()).toBe(before);
    await on.service.balances.postCalls({ accountNo: on.of[0] });
    expect(await on.spent()).toBe(before + PRICE);
    await on.writeBy(stage.sql, on.ended());
    await on.service.balances.postCalls({ accountNo: on.of[0] + 1, isOperator: true });
    expect(await on.spent()).toBe(before + 2n * PRICE);
  });
});
