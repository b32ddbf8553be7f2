import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { eventually } from '../../../../test/support/eventually.js';
import type { LeaseService } from '../../../../test/support/money/lease-service.js';
import { LeaseStage, PLENTY, RECORD, type PayerNos } from '../../../../test/support/money/lease-stage.js';
import { newId } from '../../../kernel/ids.js';
import { SystemClock } from '../../../kernel/clock.js';
import { generationDetail, type GenerationDetail } from '../../../usage/generation-detail.js';
import { Sweeper } from '../../sweeper.js';
import { elementText } from '../composite-text.js';
import { recordTexts } from '../ledger-rows.js';
import { Journal } from './journal.js';
import type { LeasedFinishItem } from './ledger-commits.port.js';
import { LocalCommits } from './local-commits.driver.js';

const PRICE = 7n;

const taggedWith = (tag: string): GenerationDetail =>
  generationDetail({ tags: [tag], upstreamId: tag, cancelled: false, usageEstimated: false });

describe('the journal of calls on credit leases', () => {
  let stage: LeaseStage;
  let service: LeaseService;
  let of: PayerNos;
  let leaseId: string;
  beforeAll(async () => {
    stage = await LeaseStage.open();
  });
  beforeEach(async () => {
    service = await stage.start();
    of = await stage.payer(PLENTY);
    await stage.warmUp(service, of);
    leaseId = (
      await stage.sql.query<{ id: string }>(
        `select id from reservation where account_no = $1 and state = 'reserved' and lends_until is not null`,
        [of[0]],
      )
    )[0]!.id;
    await stage.post();
  });
  afterEach(() => stage.settle());
  afterAll(() => stage.close());

  /** A call that ended on the lease, as the service sends it. */
  function ended(facts: Partial<LeasedFinishItem> = {}): LeasedFinishItem {
    const id = newId();
    const finish = elementText([id, leaseId, ...of, new Date().toISOString(), 1n, 1n, true, PRICE, 0n, false]);
    return {
      id,
      leaseId,
      accountNo: of[0],
      keyDay: `${of[1]} 1`,
      unsettledCalls: 0,
      isJournaled: true,
      finish,
      ...recordTexts(RECORD, PRICE),
      ...facts,
    };
  }
  /** Writes a call as a service that does not post it. */
  const writeBy = (
    client: { query(text: string, params: readonly unknown[]): unknown },
    { finish, usage, detail }: LeasedFinishItem,
  ): unknown =>
    client.query('select ledger_write_journal($1, $2, $3, 0, $4, $5, $6, null)', [
      of[0],
      leaseId,
      `${of[1]} 1`,
      finish,
      usage,
      detail,
    ]);
  /** Writes a call in a transaction that is not committed yet. */
  async function writing(call: LeasedFinishItem): Promise<{ commit(): Promise<void> }> {
    const client = new Client(stage.database.url);
    await client.connect();
    await client.query('begin');
    await writeBy(client, call);
    return { commit: () => client.query('commit').then(() => client.end()) };
  }
  /** The call, sent again because the outcome of its first write is unknown. */
  const repeated = (call: LeasedFinishItem): LeasedFinishItem => ({
    ...call,
    finish: call.finish.replace(/f\)"$/, 't)"'),
    isJournaled: false,
  });
  const entries = async (): Promise<number> =>
    (await stage.sql.query('select from ledger_journal where account_no = $1', [of[0]])).length;
  const spent = async (): Promise<bigint> =>
    (await stage.sql.query<{ spent: bigint }>('select spent from account_balance where account_no = $1', [of[0]]))[0]!
      .spent;
  const recorded = async (id: string): Promise<number> =>
    (await stage.sql.query('select 1 from generation where account_no = $1 and id = $2', [of[0], id])).length;
  const closeLease = (): Promise<unknown> =>
    stage.sql.query(
      `with closed as (update reservation set state = 'released' where account_no = $1 and id = $2
         returning account_amount, key_amount),
       account as (update account_balance b set reserved = reserved - c.account_amount from closed c
         where account_no = $1)
       update key_balance b set reserved = reserved - c.key_amount from closed c where account_no = $1 and key_no = $3`,
      [of[0], leaseId, of[1]],
    );

  it('has a call that ended until the call is posted, and is then empty', async () => {
    const before = await spent();
    const journal = new Journal(stage.sql);
    const call = ended();

    expect(await journal.write([call])).toEqual(new Set([call]));
    expect([await entries(), await spent()]).toEqual([1, before]);
    await journal.post();
    expect([await entries(), await spent(), await recorded(call.id)]).toEqual([0, before + PRICE, 1]);
  });

  it('is posted within a second without a reader', async () => {
    const before = await spent();
    await new Journal(stage.sql).write([ended(), ended()]);

    await eventually(async () => expect(await spent()).toBe(before + 2n * PRICE), 1_000);
  });

  it('has many calls in entries that fit into a page, and posts all of them, with their tags', async () => {
    const before = await spent();
    const calls = Array.from({ length: 100 }, (_, at) =>
      ended(at % 2 ? {} : recordTexts({ ...RECORD, detail: taggedWith(`say "${at}", {é}\\`) }, PRICE)),
    );
    const journal = new Journal(stage.sql);
    await journal.write(calls);

    const [largest] = await stage.sql.query<{ bytes: number; rows: bigint }>(
      `select max(pg_column_size(j.*)) as bytes, count(*) as rows from ledger_journal j where account_no = $1`,
      [of[0]],
    );
    expect(largest!.bytes).toBeLessThan(8_000);
    expect(largest!.rows).toBeGreaterThan(1n);
    await journal.post();
    expect(await spent()).toBe(before + 100n * PRICE);
    const tagged = await stage.sql.query<{ tags: string[]; upstream_id: string }>(
      'select tags, upstream_id from generation_detail where account_no = $1 and tags is not null',
      [of[0]],
    );
    expect(tagged.every(({ tags, upstream_id: id }) => tags[0] === id)).toBe(true);
    expect(new Set(tagged.map(({ tags }) => tags[0]))).toEqual(new Set(calls.flatMap(({ tags }) => tags ?? [])));
  });

  it('does not take a call whose lease is closed; the call is lost', async () => {
    await closeLease();
    const call = ended();

    expect(await new Journal(stage.sql).write([call])).toEqual(new Set());
    expect(await new LocalCommits(stage.sql).finishLeased(call)).toBe('lost');
    expect(await entries()).toBe(0);
  });

  it('takes no call of a lease after a call was repeated, so that a delayed first write has no effect', async () => {
    const before = await spent();
    const call = ended();

    expect(await new LocalCommits(stage.sql).finishLeased(repeated(call))).toBe('done');
    expect(await new Journal(stage.sql).write([call])).toEqual(new Set());
    // A renewal that was sent before does not allow it either.
    const [outcome] = await stage.sql.query<{ outcome: string }>(
      `select outcome from ledger_lease(30000, 4000, array[($1, $2, $3, now(), 0, 0, 1, true, null)::ledger_lease_item],
         null)`,
      [leaseId, ...of],
    );
    expect(outcome).toEqual({ outcome: 'drains' });
    expect(await new Journal(stage.sql).write([call])).toEqual(new Set());
    await stage.post();
    expect([await spent(), await recorded(call.id)]).toEqual([before + PRICE, 1]);
  });

  it('settles a repeated call once, even while its first write is not committed yet', async () => {
    const before = await spent();
    const call = ended();
    const other = await writing(call);
    let outcome = 'open';
    const finishing = new LocalCommits(stage.sql).finishLeased(repeated(call)).then((done) => (outcome = done));
    await sleep(200);
    expect(outcome).toBe('open');
    await other.commit();
    await finishing;

    expect([outcome, await spent(), await recorded(call.id), await entries()]).toEqual(['done', before + PRICE, 1, 0]);
  });

  it('is posted before its lease is swept, also the entry that is being written', async () => {
    const before = await spent();
    const call = ended();
    const other = await writing(call);
    await service.abandon();
    await stage.sql.query(`update reservation set deadline = now() where account_no = $1 and id = $2`, [
      of[0],
      leaseId,
    ]);
    const sweeper = new Sweeper((await stage.start({ leaseMs: 1 })).ledger, new SystemClock());
    const sweeping = eventually(async () => {
      await sweeper.sweep();
      expect(await stage.leased(of[0])).toBe(0n);
    });
    await sleep(200);
    await other.commit();
    await sweeping;

    expect([await spent(), await recorded(call.id), await entries()]).toEqual([before + PRICE, 1, 0]);
  });

  it('of a service that died is posted by the sweeper of another service, whatever its age', async () => {
    const before = await spent();
    await writeBy(stage.sql, ended());
    await stage.sql.query(`update ledger_journal set at = at - interval '1 h' where account_no = $1`, [of[0]]);
    await stage.sql.query('select ledger_post_journal($1, 10000)', [of[0]]);
    expect(await spent()).toBe(before);
    await new Sweeper(service.ledger, new SystemClock()).sweep();

    expect([await entries(), await spent()]).toEqual([0, before + PRICE]);
  });

  it('makes a call that cannot be settled an anomaly', async () => {
    const call = ended();
    await new Journal(stage.sql).write([call]);
    await closeLease();
    await stage.post();

    expect([await entries(), await recorded(call.id)]).toEqual([0, 0]);
    const anomalies = await stage.sql.query<{ kind: string; details: object }>(
      'select kind, details from billing_anomaly where account_no = $1 and generation_id = $2',
      [of[0], call.id],
    );
    expect(anomalies).toEqual([
      {
        kind: 'settlement_failed',
        details: { cost_nano: '7', reason: 'the credit lease of the call was closed before the call was posted' },
      },
    ]);
  });

  it('is posted for a reader of the account, and for the operator for all accounts', async () => {
    const before = await spent();
    await writeBy(stage.sql, ended());
    await service.balances.postCalls({ accountNo: of[0] + 1 });
    expect(await spent()).toBe(before);
    await service.balances.postCalls({ accountNo: of[0] });
    expect(await spent()).toBe(before + PRICE);
    await writeBy(stage.sql, ended());
    await service.balances.postCalls({ accountNo: of[0] + 1, isOperator: true });
    expect(await spent()).toBe(before + 2n * PRICE);
  });
});
