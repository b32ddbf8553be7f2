import { CANCELLABLE, PROMPT, startChatMoneyStage, type ChatMoneyStage } from '../../support/money/chat-money-stage.js';
import {
  eventsIn,
  goodResponsesScript,
  messageItem,
  namedEventBytes,
  vendorEvents,
} from '../../support/vendors/responses-vendor.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';

/** 7 uncached and 4 cached prompt tokens, and 7 output tokens. */
const REPORTED = 7n * 3_000n + 4n * 300n + 7n * 15_000n;
const EVENTS = vendorEvents([messageItem('two two')], { pieces: [' two', ' two'] });
/** The events up to the second text. */
const BEGUN = namedEventBytes(EVENTS.slice(0, 6));

describe('POST /responses', () => {
  let stage: ChatMoneyStage;
  beforeAll(async () => (stage = await startChatMoneyStage()));
  afterAll(() => stage.stop());
  beforeEach(() => stage.vendor.clear());

  const post = (body: object, key: string = TEST_API_KEY) =>
    stage.service.as(key).post('/responses', { json: { model: CANCELLABLE, input: PROMPT, ...body } });

  it.each([false, true])('bills the usage that the vendor reports (streamed: %s)', async (stream) => {
    stage.vendor.script(goodResponsesScript(stream));
    const answer = await post({ stream });
    const { usage } = stream ? eventsIn(answer.text).at(-1).response : answer.json;
    expect(usage).toMatchObject({
      input_tokens: 11,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 2 },
      cost: Number(REPORTED) / 1e9,
      cost_details: { upstream_inference_cost: null, upstream_inference_output_cost: 0.000_105 },
    });
    const call = await stage.recorded(answer.headers.get('x-generation-id'));
    expect(call).toMatchObject({ cost: REPORTED, status: 200, tokens_prompt: 11n, tokens_completion: 7n });
  });

  it('bills the counted tokens of the text if the vendor reports no usage', async () => {
    const more = { usage: null };
    const bytes = namedEventBytes(vendorEvents([messageItem('two two')], { pieces: [' two', ' two'], more }));
    stage.vendor.script({ bytes });
    const answer = await post({ stream: true });
    const { output_tokens: tokens } = eventsIn(answer.text).at(-1).response.usage;
    expect(tokens).toBe(2);
    expect(await stage.recorded()).toMatchObject({ usage_estimated: true, tokens_completion: 2n });
  });

  it.each([
    ['breaks off', { bytes: BEGUN }, 502],
    ['reports a failure', { bytes: Buffer.concat([BEGUN, namedEventBytes([{ type: 'error', code: 'x' }])]) }, 502],
  ])('bills nothing for a stream that %s', async (_, script, status) => {
    const before = await stage.spent();
    stage.vendor.script(script);
    const answer = await post({ stream: true });
    expect(eventsIn(answer.text).at(-1)).toMatchObject({ type: 'response.failed', response: { status: 'failed' } });
    expect(await stage.recorded(answer.headers.get('x-generation-id'))).toMatchObject({ cost: 0n, status });
    expect(await stage.spent()).toBe(before);
  });

  it('bills the input and the received output if a caller leaves in mid-stream', async () => {
    stage.vendor.script({
      bytes: BEGUN,
      splitBytes: BEGUN.length - 1,
      holdAfter: 1,
      released: new Promise(() => undefined),
    });
    const left = new AbortController();
    const response = await fetch(`${stage.service.origin}/api/v1/responses`, {
      method: 'POST',
      signal: left.signal,
      headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: CANCELLABLE, input: PROMPT, stream: true }),
    });
    await response.body!.getReader().read();
    left.abort();
    const call = await stage.recorded(response.headers.get('x-generation-id'));
    expect(call).toMatchObject({ cancelled: true, usage_estimated: true, tokens_completion: 1n });
    expect(call.cost).toBe(call.tokens_prompt * 3_000n + 15_000n);
  });

  it('refuses a call that the key cannot pay for, and names the affordable max_output_tokens', async () => {
    const { json } = await stage.service.management.post('/keys', { json: { name: 'poor', limit: 0.001 } });
    const answer = await post({ max_output_tokens: 1_000 }, json.key);
    expect(answer.status).toBe(402);
    expect(answer.json.error.message).toMatch(/Set max_output_tokens to at most [1-9]/);
    expect((await post({ max_output_tokens: 16 }, json.key)).status).toBe(200);
  });

  it('reserves the price of the complete input', async () => {
    const { json } = await stage.service.management.post('/keys', { json: { name: 'small', limit: 0.004 } });
    const long = 'x'.repeat(1_000);
    const bodies = [
      { instructions: long },
      { input: [{ role: 'user', content: [{ type: 'input_text', text: long }] }] },
      { tools: [{ type: 'function', name: 'f', parameters: { description: long } }] },
      { text: { format: { type: 'json_schema', name: 'n', schema: { description: long } } } },
    ];
    expect((await post({ max_output_tokens: 16 }, json.key)).status).toBe(200);
    for (const body of bodies)
      expect([body, (await post({ ...body, max_output_tokens: 100 }, json.key)).status]).toEqual([body, 402]);
  });
});
