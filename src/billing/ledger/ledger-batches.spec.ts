import { aGenerationRecord } from '../../../test/support/calls/generation-record.js';
import { reasonOf } from '../../../test/support/money/ledger-twins.js';
import { insertAccount, insertKey, type AccountRow } from '../../../test/support/database/row-builders.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { Sql } from '../../database/sql.js';
import { newId } from '../../kernel/ids.js';
import { compositeArrayText } from './composite-text.js';
import { usageRow } from './ledger-rows.js';
import type { FinishOutcome } from './commits/ledger-commits.port.js';
import { Ledger, type Finish, type ReservationRequest } from './ledger.js';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const RECORD = aGenerationRecord({
  upstream_cost: '7',
  app: 6,
  finish_reason: null,
  tokens_prompt: 8,
  tokens_completion: 9,
  tokens_reasoning: 0,
  tokens_cached: 0,
  characters: 10,
  latency_ms: 11,
  duration_ms: 12,
  images: 1,
  modality: 2,
});

describe('a batch of the ledger', () => {
  let database: TestDatabase;
  let sql: Sql;
  let ledger: Ledger;
  let account: AccountRow;
  let accountNo: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 4);
    ledger = new Ledger(sql);
    account = await insertAccount(sql, { granted: 1_000_000_000 });
    accountNo = account.no;
  });

  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  async function aKey(limit: bigint | null): Promise<number> {
    return (await insertKey(sql, account, limit === null ? {} : { limit_nano: Number(limit) })).no;
  }

  const request = (keyNo: number, at = NOON): ReservationRequest => ({
    id: newId(),
    generationId: newId(at),
    accountNo,
    keyNo,
    parentNo: null,
    accountAmount: 10n,
    keyAmount: 10n,
    parentAmount: 0n,
    at: new Date(at),
  });
  const reserve = (...requests: ReservationRequest[]): Promise<string[]> =>
    Promise.all(requests.map(async (one) => reasonOf(await ledger.reserve(one))));
  const finishOf = ({ id, keyNo }: ReservationRequest, settle: boolean, cost: bigint, byokCost = 0n): Finish => ({
    reservationId: id,
    accountNo,
    keyNo,
    settle,
    cost,
    byokCost,
    record: settle ? RECORD : null,
  });
  const finish = (...items: Finish[]): Promise<FinishOutcome[]> => Promise.all(items.map((one) => ledger.finish(one)));
  const held = async (keyNo: number): Promise<unknown> =>
    (
      await sql.query(
        `select reserved, (select count(*)::int from reservation r where r.key_no = b.key_no) as rows
         from key_balance b
         where key_no = $1`,
        [keyNo],
      )
    )[0];

  it('reserves amounts for the calls that the limit covers, and nothing for the other calls', async () => {
    const keyNo = await aKey(20n);

    expect(await reserve(request(keyNo), request(keyNo), request(keyNo), request(keyNo))).toEqual([
      'reserved',
      'reserved',
      'key_limit',
      'key_limit',
    ]);
    expect(await held(keyNo)).toEqual({ reserved: 20n, rows: 2 });
  });

  it('makes one reservation for a call that it contains twice', async () => {
    const keyNo = await aKey(20n);
    const one = request(keyNo);

    expect(await reserve(one, one, request(keyNo), request(keyNo))).toEqual([
      'reserved',
      'reserved',
      'reserved',
      'key_limit',
    ]);
    expect(await held(keyNo)).toEqual({ reserved: 20n, rows: 2 });
  });

  it('makes no second reservation for a call that was sent before, and reserves the other calls', async () => {
    const keyNo = await aKey(30n);
    const one = request(keyNo);
    await reserve(one);

    expect(await reserve(request(keyNo), one, request(keyNo), request(keyNo))).toEqual([
      'reserved',
      'reserved',
      'reserved',
      'key_limit',
    ]);
    expect(await held(keyNo)).toEqual({ reserved: 30n, rows: 3 });
  });

  it('settles or releases each of its calls once, and returns an outcome for each call', async () => {
    const keyNo = await aKey(null);
    const [settled, left, again, unknown] = [request(keyNo), request(keyNo), request(keyNo), request(keyNo)];
    await reserve(settled, left, again);
    await finish(finishOf(again, true, 4n));

    expect(
      await finish(
        finishOf(settled, true, 5n),
        finishOf(left, false, 0n),
        finishOf(again, true, 4n),
        finishOf(unknown, true, 9n),
      ),
    ).toEqual(['done', 'done', 'done', 'lost']);
    expect(
      (await sql.query('select reserved, usage, usage_day from key_balance where key_no = $1', [keyNo]))[0],
    ).toEqual({ reserved: 0n, usage: 9n, usage_day: 9n });
    expect(
      await sql.query('select amount, generation_id from ledger_line where key_no = $1 order by amount desc', [keyNo]),
    ).toEqual([
      { amount: -4n, generation_id: again.generationId },
      { amount: -5n, generation_id: settled.generationId },
    ]);
    const [row] = await sql.query('select * from generation where id = $1', [settled.generationId]);
    expect(row).toEqual({
      ...RECORD,
      upstream_cost: 7n,
      tokens_prompt: 8n,
      tokens_completion: 9n,
      tokens_reasoning: 0n,
      tokens_cached: 0n,
      id: settled.generationId,
      created_at: new Date(NOON),
      cost: 5n,
      account_no: accountNo,
      key_no: keyNo,
      synthetic: false,
    });
    const ids = [settled, left, again, unknown].map(({ generationId }) => generationId);
    expect(
      await sql.query('select count(*)::int as n from outbox_call where generation_id = any($1::uuid[])', [ids]),
    ).toEqual([{ n: 2 }]);
  });

  it('has the same result on the fast path and the general path (60 random batches over three weeks)', async () => {
    const keys = [await aKey(null), await aKey(null)] as const;
    let seed = 20_261_121;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const balances = async (): Promise<unknown[]> =>
      (
        await sql.query(
          'select to_jsonb(b) - $2::text[] as balance from key_balance b where key_no = any($1::int[]) order by key_no',
          [keys, ['key_no', 'at', 'alert_at']],
        )
      ).map((row) => (row as { balance: unknown }).balance);
    let at = NOON;
    for (let batch = 0; batch < 60; batch++) {
      at += random(9 * 3_600_000);
      const calls = Array.from({ length: 1 + random(6) }, () => ({
        time: at - random(2) * random(12 * 3_600_000),
        settle: random(4) > 0,
        cost: BigInt(random(10)),
        byok: BigInt(random(3)),
      }));
      const made = keys.map((keyNo) => calls.map((call) => ({ ...call, request: request(keyNo, call.time) })));
      await reserve(...made.flat().map((call) => call.request));
      await finish(...made[0]!.map((call) => finishOf(call.request, call.settle, call.cost, call.byok)));
      const twins = made[1]!;
      await sql.query('select * from ledger_finish_generally($1, $2, null)', [
        compositeArrayText(
          twins.map(({ request: { id }, settle, cost, byok }) => [id, accountNo, keys[1], settle, cost, byok]),
        ),
        compositeArrayText(twins.map(({ settle, cost }) => usageRow(settle ? RECORD : null, cost))),
      ]);
      const [quick, general] = await balances();
      expect([batch, quick]).toEqual([batch, general]);
    }
  });
});
