import { aGenerationRecord } from '../../../test/support/calls/generation-record.js';
import { addTwin, KEYS, reasonOf, START, textOf, type Twin } from '../../../test/support/money/ledger-twins.js';
import { readBooks } from '../../../test/support/money/count-the-money.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { Sql } from '../../database/sql.js';
import { newId } from '../../kernel/ids.js';
import { generationDetail } from '../../usage/generation-detail.js';
import { FreeCallLedger, type FreeCall } from './free-call-ledger.js';
import { Ledger, type ReservedAmounts } from './ledger.js';

const SOURCE = newId();
const RECORD = aGenerationRecord({
  detail: generationDetail({ cacheSourceId: SOURCE, sessionId: 'session-1', tags: ['nightly'] }),
});
const NOW = new Date(START);
const AMOUNTS = [0n, 1n, 40n, 41n, 60n, 61n, 90n, 91n, 100n, 101n] as const;

const amountsOf = (accountAmount: bigint, keyAmount: bigint, parentAmount = 0n): ReservedAmounts => ({
  accountAmount,
  keyAmount,
  parentAmount,
});

describe('calls that cost nothing', () => {
  let database: TestDatabase;
  let sql: Sql;
  let ledger: Ledger;
  let free: FreeCallLedger;
  let twin: Twin;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 4);
    ledger = new Ledger(sql);
    free = new FreeCallLedger(sql);
    twin = await addTwin(sql, 100);
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  const aCall = (keyNo: number, amounts?: ReservedAmounts, parentNo: number | null = null): FreeCall => ({
    id: newId(START),
    accountNo: twin.accountNo,
    keyNo,
    parentNo,
    at: NOW,
    record: RECORD,
    amounts,
  });
  /** The outcome of a reservation of the same amounts, which is then released. */
  async function reserved({ accountNo, keyNo, parentNo }: FreeCall, amounts: ReservedAmounts): Promise<string> {
    const id = newId(START);
    const outcome = await ledger.reserve({ id, generationId: id, accountNo, keyNo, parentNo, at: NOW, ...amounts });
    if (outcome === 'reserved')
      await ledger.finish({ reservationId: id, accountNo, keyNo, settle: false, cost: 0n, byokCost: 0n, record: null });
    return outcome === 'reserved' ? 'done' : textOf(outcome);
  }
  const recordedOf = async ({ id }: FreeCall): Promise<unknown[]> =>
    sql.query(
      `select g.cost, g.account_no, g.key_no, g.upstream_cost, g.streamed, d.session_id, d.tags,
         d.response_cache_source_id,
         (select count(*)::int from outbox_call o where o.generation_id = g.id) as announced
       from generation g left join generation_detail d on d.id = g.id and d.created_at = g.created_at
       where g.id = $1`,
      [id],
    );

  it('are refused if a reservation of the same amounts is refused, and recorded otherwise', async () => {
    const outcomes = new Set<string>();
    for (const keyNo of [...twin.keyNos, 2_000_000_000])
      for (const amount of AMOUNTS)
        for (const amounts of [amountsOf(amount, amount), amountsOf(0n, amount), amountsOf(amount, 0n)]) {
          const call = aCall(keyNo, amounts);
          const outcome = await free.record(call);
          const text = outcome === 'done' ? outcome : textOf(outcome);
          expect([keyNo, amounts, text]).toEqual([keyNo, amounts, await reserved(call, amounts)]);
          expect(await recordedOf(call)).toHaveLength(text === 'done' ? 1 : 0);
          outcomes.add(text.split(' ')[0]!);
        }
    const seen = ['done', 'insufficient_credits', 'key_disabled', 'key_limit', 'key_unknown'];
    expect([...outcomes].toSorted()).toEqual(seen);
  });

  it('are refused because of the limit or the state of a parent key', async () => {
    const [unlimited, limited] = [twin.keyNos[0]!, twin.keyNos[1]!];
    const disabled = twin.keyNos[KEYS.findIndex((key) => 'disabled' in key)]!;
    for (const [parent, amount] of [
      [limited, 90n],
      [limited, 91n],
      [disabled, 1n],
      [2_000_000_000, 1n],
    ] as const) {
      const amounts = amountsOf(0n, 0n, amount);
      const call = aCall(unlimited, amounts, parent);
      const outcome = await free.record(call);
      const text = outcome === 'done' ? outcome : textOf(outcome);
      expect([parent, amount, text]).toEqual([parent, amount, await reserved(call, amounts)]);
    }
  });

  it('change no balance', async () => {
    const before = await readBooks(sql);
    const call = aCall(twin.keyNos[0]!, amountsOf(1n, 1n));
    expect(await free.record(call)).toBe('done');
    expect(await readBooks(sql)).toEqual(before);
    expect(await recordedOf(call)).toEqual([
      {
        cost: 0n,
        account_no: twin.accountNo,
        key_no: twin.keyNos[0],
        upstream_cost: null,
        streamed: true,
        session_id: 'session-1',
        tags: ['nightly'],
        response_cache_source_id: SOURCE,
        announced: 1,
      },
    ]);
  });

  it('are recorded once, however often they are sent', async () => {
    const call = aCall(twin.keyNos[0]!);
    expect(await free.record(call)).toBe('done');
    expect(await free.record(call)).toBe('done');
    expect(await recordedOf(call)).toHaveLength(1);
  });

  it('are recorded without a check if they have no amounts, even if the key is disabled', async () => {
    const disabled = twin.keyNos[KEYS.findIndex((key) => 'disabled' in key)]!;
    expect(await free.record(aCall(disabled))).toBe('done');
  });

  it('are accepted or refused one by one in a batch', async () => {
    const calls = [amountsOf(1n, 0n), amountsOf(101n, 0n), amountsOf(100n, 0n)].map((amounts) =>
      aCall(twin.keyNos[0]!, amounts),
    );
    const outcomes = await Promise.all(calls.map((call) => free.record(call)));
    expect(outcomes.map((outcome) => (outcome === 'done' ? outcome : reasonOf(outcome)))).toEqual([
      'done',
      'insufficient_credits',
      'done',
    ]);
  });
});
