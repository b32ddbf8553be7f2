import { settledSpend } from '../../support/money/account-totals.js';
import {
  aTextEndpoint,
  HELLO,
  startTextStage,
  streamedChunks,
  streamedText,
  type TextStage,
} from '../../support/calls/text-stage.js';
import { CHAT_TEXT } from '../../support/vendors/scripted-chat-vendor.js';

// 11 prompt tokens at 1 USD per million, 7 completion tokens at 2.
const COST = 0.000025;
const TEXT = CHAT_TEXT.join('');

let stage: TextStage;
beforeAll(async () => {
  stage = await startTextStage();
  stage.teach('rules/codex', [aTextEndpoint('openai', { upstreamModel: 'gpt-5-codex' })]);
});
afterAll(() => stage.stop());

describe('a model that its vendor serves only at /responses', () => {
  it('answers a chat, at its price', async () => {
    const answer = await stage.chat({ model: 'rules/codex', messages: HELLO, user: 'raw' });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      model: 'rules/codex',
      choices: [{ finish_reason: 'stop', native_finish_reason: 'completed', message: { content: TEXT } }],
      usage: { prompt_tokens: 11, completion_tokens: 7, cost: COST },
    });
    const { path, json } = stage.vendors.openai.seen.at(-1)!;
    expect(path).toBe('/v1/responses');
    expect(json).toMatchObject({ model: 'gpt-5-codex', store: false, input: [{ role: 'user' }] });
    expect(JSON.stringify(json)).not.toContain('raw');
  });

  it('streams a chat, at its price', async () => {
    const answer = await stage.chat({ model: 'rules/codex', messages: HELLO, stream: true });
    expect(streamedText(answer)).toBe(TEXT);
    expect(streamedChunks(answer).at(-1)).toMatchObject({ choices: [], usage: { cost: COST } });
  });

  it('returns the message of its vendor if the request is at fault', async () => {
    stage.vendors.openai.script({ status: 400, body: { error: { message: 'input is too long' } } });
    const answer = await stage.chat({ model: 'rules/codex', messages: HELLO });
    expect(answer.status).toBe(400);
    expect(answer.json.error.message).toBe('input is too long');
  });

  it.each(['n', 'logprobs', 'stop'])('does not serve a chat with %s if require_parameters is true', async (name) => {
    const values: Readonly<Record<string, unknown>> = { n: 2, logprobs: true, stop: ['END'] };
    const json = { model: 'rules/codex', messages: HELLO, [name]: values[name] };
    expect((await stage.chat(json)).status).toBe(200);
    const answer = await stage.chat({ ...json, provider: { require_parameters: true } });
    expect(answer.status).toBe(404);
    expect(answer.json.error.message).toContain(`supports ${name}, and provider.require_parameters is true`);
  });

  it('is not billed if its vendor breaks off', async () => {
    const events = [{ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hel' }];
    stage.vendors.openai.script({ events });
    const before = await settledSpend(stage.service.sql);
    const answer = await stage.chat({ model: 'rules/codex', messages: HELLO, stream: true });
    const last = streamedChunks(answer).at(-1);
    expect(last.error).toMatchObject({ code: 502 });
    expect(await settledSpend(stage.service.sql)).toBe(before);
  });
});

describe('a vendor of the format messages', () => {
  it('receives the reserved output tokens as max_tokens of a chat without a bound', async () => {
    stage.claude();
    expect((await stage.chat({ model: 'rules/anthropic' })).status).toBe(200);
    expect(stage.anthropic.seen.at(-1)!.json.max_tokens).toBe(4_000);
  });
});

describe('a vendor of the format chat', () => {
  it.each([false, true])('serves a client of /messages, streamed: %s', async (stream) => {
    const json = { model: 'rules/deepinfra', max_tokens: 50, messages: HELLO, system: 'Be brief', stream };
    const answer = await stage.service.standard.post('/messages', { json });
    expect(answer.status).toBe(200);
    const { path, json: sent } = stage.vendors.deepinfra.seen.at(-1)!;
    expect(path).toBe('/v1/chat/completions');
    expect(sent).toMatchObject({ max_tokens: 50, messages: [{ role: 'system', content: 'Be brief' }, ...HELLO] });
    expect(answer.text).toContain(`"cost":${COST}`);
    expect(answer.text).toContain('"stop_reason":"end_turn"');
  });
});
