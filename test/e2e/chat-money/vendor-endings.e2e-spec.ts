import {
  CANCELLABLE,
  callStream,
  chunksRead,
  PROMPT,
  startChatMoneyStage,
  type ChatMoneyStage,
} from '../../support/money/chat-money-stage.js';
import { expectBalanced, readBooks } from '../../support/money/count-the-money.js';
import {
  chatChunk,
  finishChunk,
  goodCompletion,
  streamEvents,
  usageChunk,
  type ChatScript,
} from '../../support/vendors/scripted-chat-vendor.js';

// In nano-dollars: prompt token 3,000, completion token 15,000, cached token 300. The gateway counts 4 prompt tokens.
const USAGE = {
  prompt_tokens: 20,
  completion_tokens: 9,
  total_tokens: 29,
  prompt_tokens_details: { cached_tokens: 10 },
};
/** 10 × 3,000 + 10 × 300 + 9 × 15,000 */
const USAGE_NANO = 168_000n;

let stage: ChatMoneyStage;
// Most tests end the vendor's stream early. A low limit would open the circuit breaker after a few tests.
beforeAll(async () => (stage = await startChatMoneyStage({ env: { BREAKER_FAILURES: '1000' } })));
afterAll(async () => {
  const books = await readBooks(stage.service.sql);
  expectBalanced(books);
  expect(books.openReservations).toBe(0n);
  await stage.stop();
});

async function streamed(script: ChatScript, body: object = {}) {
  stage.vendor.script(script);
  const caller = await callStream(stage.service, body);
  const read = await caller.readAll();
  return { read, chunks: chunksRead(read), id: caller.generationId, call: await stage.recorded(caller.generationId) };
}
const buffered = async (script: ChatScript, body: object = {}) => {
  stage.vendor.script(script);
  const answer = await stage.service.standard.post('/chat/completions', {
    json: { model: CANCELLABLE, messages: [{ role: 'user', content: PROMPT }], ...body },
  });
  const id = answer.headers.get('x-generation-id');
  return { ...answer, id, call: await stage.recorded(id) };
};

describe('a stream of a vendor', () => {
  it.each<[string, ChatScript]>([
    ['breaks off in mid-stream', { events: streamEvents(5, USAGE), resetAfter: 3 }],
    ['breaks off after its finish, without usage', { events: streamEvents(2), resetAfter: 4 }],
    [
      'breaks off after its usage, without a finish',
      { events: [chatChunk({ content: 'a' }), usageChunk(USAGE), 'x'], resetAfter: 2 },
    ],
    ['ends without a finish', { events: streamEvents(5, USAGE).slice(0, 4) }],
    [
      'finishes with an error',
      { events: [chatChunk({ content: 'a' }), finishChunk('error'), usageChunk(USAGE), '[DONE]'] },
    ],
    ['sends an error', { events: [chatChunk({ content: 'a' }), { error: { message: 'down' } }] }],
  ])('that %s is not billed, and is recorded as a failure', async (_, script) => {
    const before = await stage.spent();
    const { read, chunks, call, id } = await streamed(script);
    expect(chunks.at(-1)).toMatchObject({ error: { code: 502 }, choices: [{ finish_reason: 'error' }] });
    expect(read.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(call).toMatchObject({ cost: 0n, upstream_cost: 0n, status: 502, cancelled: false, usage_estimated: false });
    expect(await stage.anomaliesOf(id)).toEqual([]);
    expect(await stage.spent()).toBe(before);
  });

  it.each<[string, ChatScript]>([
    ['breaks off between its usage and [DONE]', { events: streamEvents(2, USAGE), resetAfter: 5 }],
    ['ends without [DONE]', { events: streamEvents(2, USAGE).slice(0, -1) }],
    [
      'reports its usage twice',
      { events: [usageChunk({ ...USAGE, completion_tokens: 1 }), ...streamEvents(2, USAGE)] },
    ],
    [
      'reports its usage together with the finish',
      { events: [chatChunk({ content: 'a' }), { ...finishChunk('stop'), usage: USAGE }] },
    ],
  ])('that %s is billed once by its last report', async (_, script) => {
    const before = await stage.spent();
    const { chunks, call } = await streamed(script);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { cost: 0.000168, total_tokens: 29, is_byok: false } });
    expect(call).toMatchObject({ cost: USAGE_NANO, status: 200, cancelled: false, usage_estimated: false });
    expect((await stage.spent()) - before).toBe(USAGE_NANO);
  });

  it('without usage is billed by the counted tokens', async () => {
    const { chunks, call, id } = await streamed({ events: streamEvents(5) });
    // 4 × 3,000 + 5 × 15,000
    expect(call).toMatchObject({ cost: 87_000n, tokens_prompt: 4n, tokens_completion: 5n, usage_estimated: true });
    expect(chunks.at(-1)).toMatchObject({ usage: { cost: 0.000087, prompt_tokens: 4, completion_tokens: 5 } });
    expect(await stage.anomaliesOf(id)).toEqual(['usage_missing']);
  });

  it('that reports a usage of zero tokens costs nothing, because the usage is not missing', async () => {
    const { call, id } = await streamed({ events: streamEvents(5, { prompt_tokens: 0, completion_tokens: 0 }) });
    expect(call).toMatchObject({ cost: 0n, status: 200, usage_estimated: false });
    expect(await stage.anomaliesOf(id)).toEqual([]);
  });

  it('without any output is free, though its prompt was read', async () => {
    const { call } = await streamed({ events: streamEvents(0, { prompt_tokens: 20, completion_tokens: 0 }) });
    expect(call).toMatchObject({ cost: 0n, status: 200, tokens_prompt: 20n, cancelled: false });
  });

  it('with output that is not text is billed for its prompt and its output', async () => {
    const { call } = await streamed({ events: streamEvents(0, USAGE) });
    expect(call).toMatchObject({ cost: USAGE_NANO, status: 200 });
  });
});

describe('usage that contradicts itself', () => {
  it('has no negative remainder: more cached tokens than prompt tokens are an anomaly', async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 100 } };
    for (const { call, id } of [
      await streamed({ events: streamEvents(1, usage) }),
      await buffered({ body: { ...(goodCompletion() as object), usage } }),
    ]) {
      // 0 × 3,000 + 100 × 300 + 1 × 15,000
      expect(call).toMatchObject({ cost: 45_000n, usage_estimated: false });
      expect(await stage.anomaliesOf(id)).toEqual(['usage_inconsistent']);
    }
  });

  it('is billed as reported up to twice the worst case, and at twice the worst case if it is more', async () => {
    // 13 bytes, 64 for the frame, 8 for the message, 4 for the role: 89 × 3,000 + 10 × 15,000 = 417,000.
    const body = { max_tokens: 10 };
    const at = { prompt_tokens: 178, completion_tokens: 20 };
    const exact = await streamed({ events: streamEvents(1, at) }, body);
    expect(exact.call).toMatchObject({ cost: 834_000n, tokens_prompt: 178n });
    expect(await stage.anomaliesOf(exact.id)).toEqual([]);
    const above = await streamed({ events: streamEvents(1, { ...at, completion_tokens: 21 }) }, body);
    expect(above.call).toMatchObject({ cost: 834_000n, tokens_prompt: 178n, tokens_completion: 20n });
    expect(await stage.anomaliesOf(above.id)).toEqual(['usage_excessive']);
  });
});

describe('a buffered response', () => {
  it('is billed by its usage', async () => {
    const { json, call } = await buffered({ body: { ...(goodCompletion() as object), usage: USAGE } });
    expect(json.usage).toMatchObject({ cost: 0.000168, prompt_tokens_details: { cached_tokens: 10 } });
    expect(call).toMatchObject({ cost: USAGE_NANO, status: 200, cancelled: false, usage_estimated: false });
  });

  it('without usage is billed by the counted tokens', async () => {
    const { usage: _, ...body } = goodCompletion({ role: 'assistant', content: 'one two three' }) as { usage: object };
    const { call, id } = await buffered({ body });
    // 4 × 3,000 + 3 × 15,000
    expect(call).toMatchObject({ cost: 57_000n, usage_estimated: true });
    expect(await stage.anomaliesOf(id)).toEqual(['usage_missing']);
  });

  it('that fails is not billed, and is recorded as a failure', async () => {
    const { status } = await buffered({ status: 500, body: { error: { message: 'down' } } });
    expect(status).toBe(502);
    expect(await stage.recorded()).toMatchObject({ cost: 0n, status: 502, cancelled: false });
  });
});
