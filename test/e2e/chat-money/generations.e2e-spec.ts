import { makeKey } from '../../support/api/api-builders.js';
import {
  aPricedEndpoint,
  callStream,
  CANCELLABLE,
  PROMPT,
  startChatMoneyStage,
  UNCANCELLABLE,
  type ChatMoneyStage,
} from '../../support/money/chat-money-stage.js';
import { chatChunk, finishChunk, streamEvents, usageChunk } from '../../support/vendors/scripted-chat-vendor.js';
import { teach } from '../../support/catalogue/test-catalogue.js';

const USAGE = {
  prompt_tokens: 20,
  completion_tokens: 9,
  prompt_tokens_details: { cached_tokens: 10 },
  completion_tokens_details: { reasoning_tokens: 4, image_tokens: 2 },
};

let stage: ChatMoneyStage;
beforeAll(async () => {
  stage = await startChatMoneyStage();
  teach(stage.service, {
    'acme/twice': [
      aPricedEndpoint('openai', { providerName: 'First' }),
      aPricedEndpoint('groq', { providerName: 'Second' }),
    ],
  });
});
afterAll(() => stage.stop());

// oxlint-disable-next-line typescript/no-explicit-any
async function generation(id: string | null): Promise<any> {
  await stage.spent();
  const { status, json } = await stage.service.standard.get(`/generation?id=${id}`);
  expect(status).toBe(200);
  return json.data;
}

describe('the generation of a chat', () => {
  it('has the tokens by class, the finish reason, the prices and the attempts of a streamed call', async () => {
    const events = [
      chatChunk({ role: 'assistant', content: 'one' }, { service_tier: 'default' }),
      finishChunk('length'),
      usageChunk(USAGE),
      '[DONE]',
    ];
    stage.vendor.script({ status: 503, body: { error: { message: 'down' } } }, { events });
    const caller = await callStream(stage.service, {
      model: 'acme/twice',
      provider: { order: ['openai', 'groq'] },
      session_id: 'session-1',
      user: 'user-1',
    });
    await caller.readAll();
    const data = await generation(caller.generationId);
    expect(data).toMatchObject({
      id: caller.generationId,
      model: 'acme/twice',
      provider_name: 'Groq',
      api_type: 'completions',
      streamed: true,
      cancelled: false,
      usage_estimated: false,
      finish_reason: 'length',
      native_finish_reason: 'length',
      tokens_prompt: 20,
      tokens_completion: 9,
      native_tokens_prompt: 20,
      native_tokens_completion: 9,
      native_tokens_reasoning: 4,
      native_tokens_cached: 10,
      native_tokens_completion_images: 2,
      upstream_id: 'chatcmpl-1',
      service_tier: 'default',
      session_id: 'session-1',
      external_user: 'user-1',
      request_id: caller.response.headers.get('x-request-id'),
      is_byok: false,
      // 10 × 3,000 + 10 × 300 + 9 × 15,000
      usage: 0.000168,
      total_cost: 0.000168,
      upstream_inference_cost: 0.000168,
      // 10 × (3,000 − 300)
      cache_discount: 0.000027,
      provider_responses: [
        { provider_name: 'First', status: 503, latency: expect.any(Number) },
        { provider_name: 'Second', status: 200, latency: expect.any(Number) },
      ],
    });
    expect(data.user_agent).toEqual(expect.any(String));
    expect(data.generation_time).toBeGreaterThanOrEqual(data.latency);
  });

  it('has the latency of the first token, and the time to the end', async () => {
    const held = Promise.withResolvers<void>();
    stage.vendor.script({ events: streamEvents(2, USAGE), holdAfter: 2, released: held.promise });
    const caller = await callStream(stage.service);
    await caller.readTexts(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    held.resolve();
    await caller.readAll();
    const { latency, generation_time: time } = await generation(caller.generationId);
    // The first token came before the wait, so the difference includes the whole wait.
    expect(time - latency).toBeGreaterThanOrEqual(99);
  });

  it('has the finish reason and the latency of a buffered call', async () => {
    const answer = await stage.service.standard.post('/chat/completions', {
      json: { model: CANCELLABLE, messages: [{ role: 'user', content: PROMPT }] },
    });
    const data = await generation(answer.headers.get('x-generation-id'));
    expect(data).toMatchObject({
      streamed: false,
      finish_reason: 'stop',
      cancelled: false,
      latency: expect.any(Number),
    });
  });

  it('records that its caller left and that its tokens were counted', async () => {
    stage.vendor.script({ events: streamEvents(5, USAGE), stallAfter: 3 });
    const caller = await callStream(stage.service);
    await caller.readTexts(2);
    caller.leave();
    await stage.callerGone();
    expect(await generation(caller.generationId)).toMatchObject({
      cancelled: true,
      usage_estimated: true,
      finish_reason: null,
      native_finish_reason: null,
      native_tokens_prompt: 4,
      native_tokens_completion: 2,
      // 4 × 3,000 + 2 × 15,000
      usage: 0.000042,
      provider_responses: [{ provider_name: 'openai', status: 200, latency: expect.any(Number) }],
    });
  });

  it('is shown to its own key and to a management key, and is 404 for another key', async () => {
    stage.vendor.script({ events: streamEvents(1, USAGE) });
    const caller = await callStream(stage.service);
    await caller.readAll();
    await generation(caller.generationId);
    const { key } = await makeKey(stage.service.management);
    for (const path of [`/generation?id=${caller.generationId}`, `/generations/${caller.generationId}`]) {
      expect((await stage.service.management.get(path)).status).toBe(200);
      expect((await stage.service.as(key).get(path)).json.error).toMatchObject({ code: 404 });
    }
  });

  it('has the finish reason error and no cost if the vendor broke off', async () => {
    stage.vendor.script({ events: streamEvents(5, USAGE), resetAfter: 3 });
    const caller = await callStream(stage.service, { model: UNCANCELLABLE });
    await caller.readAll();
    expect(await generation(caller.generationId)).toMatchObject({
      cancelled: false,
      usage_estimated: false,
      usage: 0,
      total_cost: 0,
      finish_reason: 'error',
      native_tokens_completion: 0,
    });
  });
});
