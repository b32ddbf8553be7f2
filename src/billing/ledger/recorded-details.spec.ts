import { aGenerationRecord } from '../../../test/support/calls/generation-record.js';
import { insertAccount, insertKey } from '../../../test/support/database/row-builders.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { Sql } from '../../database/sql.js';
import { newId, timeOfId } from '../../kernel/ids.js';
import { parseDecimal } from '../../kernel/money.js';
import { generationDetail } from '../../usage/generation-detail.js';
import type { GenerationRecord } from '../../usage/generation-record.js';
import { Ledger, type Finish, type ReservationRequest } from './ledger.js';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const RECORD = aGenerationRecord({
  upstream_cost: '7',
  tokens_prompt: 80,
  tokens_completion: 90,
  tokens_reasoning: 30,
  tokens_cached: 20,
  latency_ms: 11,
  duration_ms: 12,
});
const DETAILED: GenerationRecord = {
  ...RECORD,
  detail: generationDetail({
    nativeFinishReason: 'end_turn',
    upstreamId: 'msg_1',
    requestId: 'request-1',
    sessionId: 'session-1',
    tags: ['nightly', 'say "hi", {é}\\'],
    userAgent: 'agent/1',
    httpReferer: 'https://shop.example',
    title: 'Shop',
    categories: 'cli-agent',
    serviceTier: 'flex',
    attempts: [
      { provider: 'north', status: 529, latencyMs: 12.4 },
      { provider: 'south', status: 200, latencyMs: 30 },
    ],
    mediaInputs: 2,
    audioInputs: 1,
    completionImageTokens: 5_000_000_000,
    cacheDiscount: -9_007_199_254_740_993n,
    priceLines: [{ item: 'prompt_tokens', quantity: 80, price: parseDecimal('0.0000015')! }],
    cancelled: true,
    usageEstimated: true,
    cacheSourceId: '01a1fb5e-7697-73ee-a7fa-328a78871244',
  }),
};

/** Checks the recorded detail of a text call, and the remaining amount that a refusal names. */
describe('the ledger', () => {
  let database: TestDatabase;
  let sql: Sql;
  let ledger: Ledger;
  let accountNo: number;
  let keyNo: number;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 4);
    ledger = new Ledger(sql);
  });
  beforeEach(async () => {
    const account = await insertAccount(sql, { granted: 1_000 });
    accountNo = account.no;
    keyNo = (await insertKey(sql, account, { limit_nano: 300 })).no;
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  const request = (amount: bigint, more: Partial<ReservationRequest> = {}): ReservationRequest => {
    const id = newId(NOON);
    return {
      id,
      generationId: id,
      accountNo,
      keyNo,
      parentNo: null,
      accountAmount: amount,
      keyAmount: amount,
      parentAmount: 0n,
      at: timeOfId(id),
      ...more,
    };
  };
  const finishOf = ({ id }: ReservationRequest, record: GenerationRecord | null, settle = true): Finish => ({
    reservationId: id,
    accountNo,
    keyNo,
    settle,
    cost: 7n,
    byokCost: 0n,
    record,
  });
  const detailsOf = (...requests: ReservationRequest[]): Promise<Record<string, unknown>[]> =>
    sql.query(
      `select to_jsonb(d) - '{id,created_at,account_no}'::text[] as detail,
         (d.account_no, d.created_at) = (g.account_no, g.created_at) as at_its_time
       from generation_detail d join generation g on g.id = d.id where d.id = any($1::uuid[])`,
      [requests.map(({ id }) => id)],
    );
  const expected = {
    detail: { ...DETAILED.detail, cache_discount: expect.anything() as unknown },
    at_its_time: true,
  };

  it('writes one detail with the record of a single call, whether the call is settled or released', async () => {
    const [settled, released] = [request(10n), request(10n)];
    for (const one of [settled, released]) {
      await ledger.reserve(one);
      const finish = finishOf(one, DETAILED, one === settled);
      expect([await ledger.finish(finish), await ledger.finish(finish)]).toEqual(['done', 'done']);
    }

    expect(await detailsOf(settled, released)).toEqual([expected, expected]);
    expect(await sql.query('select cache_discount from generation_detail where id = $1', [settled.id])).toEqual([
      { cache_discount: -9_007_199_254_740_993n },
    ]);
  });

  it('writes one detail for each call of a batch that has a detail', async () => {
    const requests = Array.from({ length: 6 }, () => request(10n));
    await Promise.all(requests.map((one) => ledger.reserve(one)));
    const finishes = requests.map((one, index) => finishOf(one, index % 2 ? RECORD : DETAILED));

    // The first item is sent alone. The others form the next batch.
    await Promise.all([...finishes, ...finishes].map((finish) => ledger.finish(finish)));

    expect(await detailsOf(...requests)).toEqual([expected, expected, expected]);
    expect(
      await sql.query('select count(*)::int as calls from generation where id = any($1::uuid[])', [
        requests.map(({ id }) => id),
      ]),
    ).toEqual([{ calls: 6 }]);
  });

  it('writes the details of a call that also charges a parent key, and of calls on different days', async () => {
    const day = 86_400_000;
    const ofIntern = request(10n, { parentNo: keyNo });
    const [today, tomorrow] = [request(10n), request(10n, { at: new Date(NOON + day) })];
    for (const one of [ofIntern, today, tomorrow]) {
      await ledger.reserve(one);
      await ledger.finish(finishOf(one, DETAILED));
    }

    expect(await detailsOf(ofIntern, today, tomorrow)).toEqual([expected, expected, expected]);
  });

  it('writes no detail of a call if its reservation was lost', async () => {
    const gone = request(10n);
    expect(await ledger.finish(finishOf(gone, DETAILED))).toBe('lost');
    expect(await sql.query('select from generation_detail where id = $1', [gone.id])).toEqual([]);
  });

  it.each([
    ['alone', 1],
    ['in a batch', 3],
  ])('returns the remaining amount of a key limit that refuses a call (%s)', async (_, count) => {
    await ledger.reserve(request(120n));
    const outcomes = await Promise.all(Array.from({ length: count }, () => ledger.reserve(request(181n))));
    expect(outcomes).toEqual(outcomes.map(() => ({ reason: 'key_limit', remaining: 180n })));
  });

  it.each([
    ['alone', 1],
    ['in a batch', 3],
  ])('returns the remaining credits if they do not cover a call (%s)', async (_, count) => {
    await ledger.reserve(request(120n));
    const outcomes = await Promise.all(
      Array.from({ length: count }, () => ledger.reserve(request(881n, { keyAmount: 0n }))),
    );
    expect(outcomes).toEqual(outcomes.map(() => ({ reason: 'insufficient_credits', remaining: 880n })));
  });

  it('returns 0 as the remaining amount if a limit was lowered below the reserved amount', async () => {
    await ledger.reserve(request(120n));
    await sql.query('update api_key set limit_nano = 50 where no = $1', [keyNo]);
    expect(await ledger.reserve(request(1n))).toEqual({ reason: 'key_limit', remaining: 0n });
  });

  it('includes the amount of the replaced reservation in the remaining amount', async () => {
    const first = request(200n);
    await ledger.reserve(first);
    const next = request(301n, { replaces: first.id });
    expect(await ledger.reserve(next)).toEqual({ reason: 'key_limit', remaining: 300n });
  });

  it('returns no remaining amount if a key may not be used', async () => {
    await sql.query('update api_key set disabled = true where no = $1', [keyNo]);
    expect(await ledger.reserve(request(1n))).toEqual({ reason: 'key_disabled' });
  });
});
