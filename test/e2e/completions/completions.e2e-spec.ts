import { makeKey } from '../../support/api/api-builders.js';
import { startAudioStage, type AudioStage } from '../../support/calls/audio-stage.js';
import { anEndpoint, aModel } from '../../support/catalogue/catalogue-builder.js';
import { teachModels } from '../../support/catalogue/test-catalogue.js';
import { streamedChunks } from '../../support/calls/text-stage.js';

const MODEL = 'test/continues';
const usd = (nano: bigint): number => Number(nano) / 1e9;

let stage: AudioStage;
beforeAll(async () => {
  stage = await startAudioStage();
  const endpoint = (provider: string, upstreamModel = 'vendor-model') =>
    anEndpoint(provider, {
      adapter: 'openai-compatible',
      upstreamModel,
      tokenPrices: { prompt: '0.000001', completion: '0.000002' },
      contextLength: 1_000,
      textLimits: {},
      maxCompletionTokens: 100,
    });
  teachModels(stage.service, [
    aModel(MODEL, { endpoints: [endpoint('togetherai')] }),
    aModel('test/two', { endpoints: [endpoint('togetherai', 'first'), endpoint('deepinfra', 'second')] }),
    aModel('test/chats-only', { endpoints: [endpoint('openai')] }),
  ]);
});
afterAll(() => stage.stop());

const post = (json: object | string, key?: string) =>
  (key === undefined ? stage.service.standard : stage.service.as(key)).post(
    '/completions',
    typeof json === 'string'
      ? { body: json, headers: { 'content-type': 'application/json' } }
      : { json: { model: MODEL, prompt: 'Once upon', ...json } },
  );

describe('POST /completions', () => {
  it('sends the vendor the bytes of the caller, without the members of this service', async () => {
    const start = `{"prompt":"\\u0041 tree","model":"${MODEL}","temperature":1.0`;
    const sent = `${start},"provider":{"only":["togetherai"]},"x":[1.50],"max_tokens":10}`;
    const { status, json } = await post(sent);
    expect(status).toBe(200);
    const { path, raw, headers } = stage.vendor.seen.at(-1)!;
    expect([path, headers.authorization]).toEqual(['/v1/completions', 'Bearer credential-of-togetherai']);
    expect(raw.toString()).toBe(
      '{"prompt":"\\u0041 tree","model":"vendor-model","temperature":1.0,"x":[1.50],"max_tokens":10}',
    );
    expect(json).toEqual({
      id: expect.stringMatching(/^gen-/),
      object: 'text_completion',
      created: expect.any(Number),
      model: MODEL,
      provider: 'togetherai',
      choices: [{ text: ' a tree', index: 0, logprobs: null, finish_reason: 'stop', native_finish_reason: 'stop' }],
      usage: expect.objectContaining({ prompt_tokens: 5, completion_tokens: 3, total_tokens: 8, cost: usd(11_000n) }),
    });
  });

  it('streams the text, then one chunk with the usage, then the end', async () => {
    const answer = await post({ stream: true, user: 'end-user-1' });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    expect(answer.text.endsWith('data: [DONE]\n\n')).toBe(true);
    const events = streamedChunks(answer);
    expect(events.map(({ choices }) => choices[0]?.text)).toEqual([' a', ' tree', '', undefined]);
    expect(events.map(({ usage }) => usage?.cost)).toEqual([undefined, undefined, undefined, usd(11_000n)]);
    for (const event of events) expect(event).toMatchObject({ object: 'text_completion', model: MODEL });
    const { json } = stage.vendor.seen.at(-1)!;
    expect(json).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(json.user).not.toBe('end-user-1');
  });

  it.each([
    ['texts', ['a', 'b'], 2],
    ['token ids', [1, 2, 3], 1],
    ['lists of token ids', [[1], [2, 3], [4]], 3],
  ])('accepts %s', async (_, prompt, count) => {
    expect((await post({ prompt })).json.choices).toHaveLength(count);
    expect(stage.vendor.seen.at(-1)!.json.prompt).toEqual(prompt);
    expect(streamedChunks(await post({ prompt, stream: true, n: 2 }))).toHaveLength(count * 2 * 3 + 1);
  });

  it('is served by the built-in model', async () => {
    const request = { model: 'builtin/eliza', prompt: 'My mother takes care of me.', max_tokens: 64 };
    const { json } = await post(request);
    expect(json).toMatchObject({ object: 'text_completion', choices: [{ index: 0, finish_reason: 'stop' }] });
    expect(json.choices[0].text.length).toBeGreaterThan(0);
    const events = streamedChunks(await post({ ...request, stream: true }));
    expect(events.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe(json.choices[0].text);
    expect((await post({ ...request, prompt: ['a', 'b'] })).status).toBe(400);
  });

  it.each([
    ['no prompt', { prompt: undefined }],
    ['no prompts', { prompt: [] }],
    ['prompts of two kinds', { prompt: ['a', 1] }],
    ['a token id below 0', { prompt: [-1] }],
    ['an empty list of token ids', { prompt: [[]] }],
    ['more choices than a response may contain', { prompt: Array(1_025).fill('a') }],
    ['more choices than allowed because of n', { prompt: Array(9).fill('a'), n: 128 }],
    ['best_of below n', { n: 2, best_of: 1 }],
    ['no tokens', { max_tokens: 0 }],
    ['five stops', { stop: Array(5).fill('a') }],
  ])('refuses %s', async (_, fields) => {
    const calls = stage.vendor.seen.length;
    expect((await post(fields)).status).toBe(400);
    expect(stage.vendor.seen).toHaveLength(calls);
  });

  it('answers 404 for a model whose endpoints support only chat', async () => {
    const { status, json } = await post({ model: 'test/chats-only' });
    expect([status, json.error.metadata.availability.code]).toEqual([404, 'constraint_filtered']);
    expect((await post({ model: 'no/such' })).status).toBe(404);
  });

  it('falls back to the next endpoint, and to the next model', async () => {
    stage.vendor.script({ status: 500 });
    expect((await post({ model: 'test/two', provider: { order: ['togetherai', 'deepinfra'] } })).json.provider).toBe(
      'deepinfra',
    );
    const { json } = await post({ model: 'test/chats-only', models: [MODEL] });
    expect(json.model).toBe(MODEL);
  });

  it.each([
    ['an error object', { body: { error: { message: 'no' } } }],
    ['no choices', { body: { choices: [] } }],
    ['no finish reason', { body: { choices: [{ text: '', index: 0 }] } }],
    ['no JSON', { body: '{' }],
  ])('answers 502 if the vendor sends %s, and bills nothing', async (_, script) => {
    stage.vendor.script(script);
    expect(await stage.spentBy(async () => expect((await post({})).status).toBe(502))).toBe(0n);
  });

  it('ends a stream that breaks off with an error chunk, and bills nothing', async () => {
    const choice = { text: 'a', index: 0, finish_reason: null };
    stage.vendor.script({ events: [{ id: 'c', choices: [choice] }] });
    const spent = await stage.spentBy(async () => {
      const last = streamedChunks(await post({ stream: true })).at(-1)!;
      expect(last.error).toMatchObject({ code: 502, metadata: { error_type: 'provider_unavailable' } });
      expect(last.choices).toEqual([expect.objectContaining({ text: '', finish_reason: 'error' })]);
    });
    expect(spent).toBe(0n);
  });
});

describe('the bill of a completion', () => {
  it.each([
    // 64 tokens for the frame, 8 for each prompt, the bytes of the prompts, and the output of every choice.
    ['one prompt', { prompt: 'abc', max_tokens: 10 }, 75_000n + 20_000n],
    ['the maximum output of the model, if nothing bounds it', { prompt: 'abc' }, 75_000n + 200_000n],
    ['every choice', { prompt: 'abc', max_tokens: 10, n: 2, best_of: 3 }, 75_000n + 60_000n],
    ['every prompt', { prompt: ['abc', 'def'], max_tokens: 10 }, 86_000n + 40_000n],
    ['the suffix of every prompt', { prompt: ['abc', 'def'], suffix: 'ghij', max_tokens: 10 }, 94_000n + 40_000n],
    [
      'the context of each prompt',
      { prompt: [1, 2].map(() => 'a'.repeat(2_000)), max_tokens: 10 },
      2_000_000n + 40_000n,
    ],
  ])('is reserved for %s: a limit of one nano-dollar less is a 402', async (_, request, worst) => {
    const enough = await makeKey(stage.service.management, { limit: usd(worst) });
    expect((await post(request, enough.key)).status).toBe(200);
    const short = await makeKey(stage.service.management, { limit: usd(worst - 1n) });
    const { status, json } = await post(request, short.key);
    expect([status, json.error.metadata.error_type]).toEqual([402, 'payment_required']);
  });

  it('is recorded with the call', async () => {
    const { json } = await post({ session_id: 'session-1' });
    expect(await stage.recordOf(json.id)).toMatchObject({
      api_type: 'completions',
      tokens_prompt: 5,
      tokens_completion: 3,
      total_cost: usd(11_000n),
      finish_reason: 'stop',
      upstream_id: 'cmpl-1',
      session_id: 'session-1',
    });
  });
});
