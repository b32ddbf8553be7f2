import OpenAI from 'openai';
import { makeKey } from '../../support/api/api-builders.js';
import { startAudioStage, type AudioStage } from '../../support/calls/audio-stage.js';
import { anEndpoint, aModel } from '../../support/catalogue/catalogue-builder.js';
import { teachModels } from '../../support/catalogue/test-catalogue.js';
import { TEST_API_KEY, TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';

const MODEL = 'test/continues';

let stage: AudioStage;
beforeAll(async () => {
  stage = await startAudioStage();
  const endpoint = anEndpoint('togetherai', {
    adapter: 'openai-compatible',
    tokenPrices: { prompt: '0.000001', completion: '0.000002' },
    textLimits: { contextLength: 1_000 },
  });
  teachModels(stage.service, [aModel(MODEL, { endpoints: [endpoint] })]);
});
afterAll(() => stage.stop());

describe('openai', () => {
  const client = (apiKey = TEST_API_KEY): OpenAI =>
    new OpenAI({ apiKey, baseURL: `${stage.service.origin}/api/v1`, maxRetries: 0 });

  it.each([MODEL, 'builtin/eliza'])('gets a completion of %s', async (model) => {
    const { choices, usage, object } = await client().completions.create({
      model,
      prompt: 'Once upon',
      max_tokens: 20,
    });
    expect(object).toBe('text_completion');
    expect(choices[0]).toMatchObject({ index: 0, finish_reason: 'stop' });
    expect(choices[0]!.text.length).toBeGreaterThan(0);
    expect(usage!.total_tokens).toBe(usage!.prompt_tokens + usage!.completion_tokens);
  });

  it.each([MODEL, 'builtin/eliza'])('streams a completion of %s', async (model) => {
    const stream = await client().completions.create({ model, prompt: 'Once upon', max_tokens: 20, stream: true });
    let text = '';
    let tokens: number | undefined;
    for await (const { choices, usage } of stream) {
      text += choices[0]?.text ?? '';
      tokens = usage?.total_tokens ?? tokens;
    }
    expect(text.length).toBeGreaterThan(0);
    expect(tokens).toBeGreaterThan(0);
  });

  it('throws an error for a stream that breaks off', async () => {
    stage.vendor.script({ events: [{ id: 'c', choices: [{ text: 'a', index: 0, finish_reason: null }] }] });
    const stream = await client().completions.create({ model: MODEL, prompt: 'a', stream: true });
    const read = async (): Promise<void> => {
      for await (const _ of stream) continue;
    };
    await expect(read()).rejects.toBeInstanceOf(OpenAI.APIError);
  });

  it('throws its own error class for each status', async () => {
    const poor = await makeKey(stage.service.management, { limit: 1e-9 });
    const create = (fields: object = {}, key?: string): Promise<unknown> =>
      client(key).completions.create({ model: MODEL, prompt: 'a', ...fields });
    await expect(create({ prompt: [] })).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    await expect(create({}, 'wrong')).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    await expect(create({}, TEST_MANAGEMENT_KEY)).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    await expect(create({}, poor.key)).rejects.toMatchObject({ status: 402 });
    await expect(create({ model: 'no/such' })).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    stage.vendor.script({ status: 429 }, { status: 500 });
    await expect(create()).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    await expect(create()).rejects.toBeInstanceOf(OpenAI.InternalServerError);
  });
});
