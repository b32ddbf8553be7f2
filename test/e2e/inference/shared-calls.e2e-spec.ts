import { jest } from '@jest/globals';
import { SharedCall } from '../../../src/inference/response-cache/shared-call.js';
import { makeKey } from '../../support/api/api-builders.js';
import { asking, booksOf, cached, cacheStatus, recordOf } from '../../support/calls/cached-calls.js';
import { expectBalanced } from '../../support/money/count-the-money.js';
import { eventually } from '../../support/eventually.js';
import { CHAT_TEXT, goodCompletion, goodEvents, type ChatScript } from '../../support/vendors/scripted-chat-vendor.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';
import { startTextStage, streamedChunks, streamedText, type TextStage } from '../../support/calls/text-stage.js';

const MANY = 1_000;

const entered = jest.spyOn(SharedCall.prototype, 'enter');
let stage: TextStage;
beforeAll(async () => {
  stage = await startTextStage();
});
afterAll(() => stage.stop());
beforeEach(() => {
  stage.vendors.openai.clear();
  stage.vendors.openai.seen.splice(0);
  entered.mockClear();
});
afterAll(() => entered.mockRestore());
const vendor = () => stage.vendors.openai;
const ask = (question: string, stream: boolean, signal?: AbortSignal, key?: string) =>
  stage.service.standard.post('/chat/completions', {
    json: { model: 'rules/openai', ...asking(question, { stream }) },
    headers: cached(),
    key,
    signal,
  });

/** A response whose first `sent` writes arrive immediately. The rest follows after `release`. */
function held(stream: boolean, sent = 0, more: Partial<ChatScript> = {}): { release: () => void } {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  vendor().script({
    ...(stream ? { events: goodEvents() } : { body: goodCompletion() }),
    holdAfter: sent,
    released,
    ...more,
  });
  return { release };
}
const called = () => eventually(async () => expect(vendor().seen).toHaveLength(1));
/** Waits until this many readers share the call. */
const joined = (readers: number) => eventually(async () => expect(entered).toHaveBeenCalledTimes(readers));
/** The current number of call records. */
const generations = async (): Promise<number> =>
  (await stage.service.sql.query<{ n: number }>('select count(*)::int as n from generation'))[0]!.n;

describe.each([
  ['complete responses', false],
  ['streams', true],
])('equal simultaneous calls (%s)', (_, stream) => {
  it('of one key share one vendor call, and only one of 1,000 calls is billed', async () => {
    const { release } = held(stream);
    const before = await booksOf(stage);
    const answers = Array.from({ length: MANY }, () => ask(`many ${stream}`, stream));
    await called();
    release();
    const done = await Promise.all(answers);

    expect(new Set(done.map(({ status }) => status))).toEqual(new Set([200]));
    expect(done.filter((answer) => cacheStatus(answer) === 'MISS')).toHaveLength(1);
    expect(done.filter((answer) => cacheStatus(answer) === 'HIT')).toHaveLength(MANY - 1);
    expect(vendor().seen).toHaveLength(1);
    expect(new Set(done.map(({ headers }) => headers.get('x-generation-id'))).size).toBe(MANY);
    const paid = done.find((answer) => cacheStatus(answer) === 'MISS')!;
    const { total_cost: cost } = await recordOf(stage, paid);
    const after = await booksOf(stage);
    expectBalanced(after);
    expect(after.openReservations).toBe(before.openReservations);
    expect(after.accountSpent - before.accountSpent).toBe(BigInt(Math.round(cost * 1e9)));
    const free = done.find((answer) => cacheStatus(answer) === 'HIT')!;
    expect(await recordOf(stage, free)).toMatchObject({
      total_cost: 0,
      response_cache_source_id: paid.headers.get('x-generation-id'),
    });
    expect(stream ? streamedText(free) : free.json.choices[0].message.content).toBe(CHAT_TEXT.join(''));
  });

  it('of different keys share no vendor call', async () => {
    const { key } = await makeKey(stage.service.management);
    const { release } = held(stream);
    const first = ask(`keys ${stream}`, stream);
    await called();
    const other = await ask(`keys ${stream}`, stream, undefined, key);
    expect([other.status, cacheStatus(other), vendor().seen.length]).toEqual([200, 'MISS', 2]);
    release();
    await first;
  });

  it('make only one reservation', async () => {
    const { release } = held(stream);
    const { openReservations } = await booksOf(stage);
    const answers = Array.from({ length: 5 }, () => ask(`hold ${stream}`, stream));
    await called();
    expect((await booksOf(stage)).openReservations).toBe(openReservations + 1n);
    release();
    await Promise.all(answers);
  });

  it('continue if the caller that caused the vendor call leaves', async () => {
    const { release } = held(stream, stream ? 2 : 0);
    const leaver = new AbortController();
    const first = ask(`leaves ${stream}`, stream, leaver.signal);
    await called();
    const second = ask(`leaves ${stream}`, stream);
    await joined(2);
    leaver.abort();
    await expect(first).rejects.toThrow('aborted');
    release();
    const answer = await second;
    expect([answer.status, cacheStatus(answer)]).toEqual([200, 'HIT']);
    expect(vendor().seen[0]!.aborted).toBe(false);
    const source = await recordOf(stage, answer);
    const { json } = await stage.service.management.get(`/generation?id=${source.response_cache_source_id}`);
    expect(json.data).toMatchObject({ cancelled: false, finish_reason: 'stop' });
    expect(json.data.total_cost).toBeGreaterThan(0);
    expectBalanced(await booksOf(stage));
  });

  it('end when the last caller leaves', async () => {
    held(stream);
    const leavers = [new AbortController(), new AbortController()];
    const answers = leavers.map(({ signal }) => ask(`all leave ${stream}`, stream, signal).catch(() => undefined));
    await called();
    await joined(2);
    leavers[0]!.abort();
    await answers[0];
    expect(vendor().seen[0]!.aborted).toBe(false);
    leavers[1]!.abort();
    await eventually(async () => expect(vendor().seen[0]!.aborted).toBe(true));
    const next = await ask(`all leave ${stream}`, stream);
    expect([next.status, cacheStatus(next), vendor().seen.length]).toEqual([200, 'MISS', 2]);
    await eventually(async () => expectBalanced(await booksOf(stage)));
  });

  it('fail together, and the next call makes a new vendor call', async () => {
    const { release } = held(stream, 0, {
      status: 400,
      events: undefined,
      body: { error: { message: 'No such thing' } },
    });
    const before = await generations();
    const answers = [ask(`fail ${stream}`, stream), ask(`fail ${stream}`, stream), ask(`fail ${stream}`, stream)];
    await called();
    await joined(3);
    release();
    const done = await Promise.all(answers);
    expect(done.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(new Set(done.map(({ json }) => json.error.message)).size).toBe(1);
    expect(done.filter((answer) => cacheStatus(answer) === 'HIT')).toEqual([]);
    expect(vendor().seen).toHaveLength(1);
    const next = await ask(`fail ${stream}`, stream);
    expect([next.status, cacheStatus(next)]).toEqual([200, 'MISS']);
    expect(await generations()).toBe(before + 2);
    expectBalanced(await booksOf(stage));
  });
});

describe('a stream under way', () => {
  it('is sent from the beginning to a caller that joins later', async () => {
    const { release } = held(true, 3);
    const open = async () => {
      const { origin } = stage.service;
      const response = await fetch(`${origin}/api/v1/chat/completions`, {
        method: 'POST',
        headers: { ...cached(), authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'rules/openai', ...asking('live', { stream: true }) }),
      });
      return { response, reader: response.body!.getReader() };
    };
    const first = await open();
    await first.reader.read();
    const second = await open();
    const piece = Buffer.from((await second.reader.read()).value ?? []).toString();
    expect(piece).toContain(CHAT_TEXT[0]);
    expect(piece).toContain(second.response.headers.get('x-generation-id'));
    expect(second.response.headers.get('x-openrouter-cache-status')).toBe('HIT');
    release();
    for (const { reader } of [first, second]) while (!(await reader.read()).done);
  });

  it('fails in mid-stream with the same event for all readers', async () => {
    const { release } = held(true, 3, {
      events: [...goodEvents().slice(0, 4), { error: { message: 'x', code: 500 } }],
    });
    const answers = [ask('breaks', true), ask('breaks', true)];
    await called();
    await joined(2);
    release();
    const ends = (await Promise.all(answers)).map((answer) => streamedChunks(answer).at(-1));
    expect(ends[0].error).toBeDefined();
    expect(ends[1]).toEqual({ ...ends[0], id: expect.any(String), created: expect.any(Number) });
    expectBalanced(await booksOf(stage));
  });
});
