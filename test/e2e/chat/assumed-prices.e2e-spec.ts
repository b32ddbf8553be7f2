import type { PlainFamily } from '../../../src/telemetry/metric-family.js';
import { Metrics } from '../../../src/telemetry/metrics.js';
import { makeKey } from '../../support/api/api-builders.js';
import { HELLO, startTextStage, type TextStage } from '../../support/calls/text-stage.js';

/** USD per token of the most expensive gpt-* and claude-* models in the shipped catalogue. */
const GPT = { prompt: 0.000_03, completion: 0.000_18 };
const CLAUDE = { prompt: 0.000_015, completion: 0.000_075 };

let stage: TextStage;
beforeAll(async () => {
  stage = await startTextStage();
});
afterAll(() => stage.stop());
afterEach(() => stage.vendors.openai.seen.splice(0));

const ask = (model: string, more: object = {}) => stage.chat({ model, max_tokens: 10, ...more });
const record = async (id: string) => (await stage.service.standard.get(`/generation?id=${id}`)).json.data;

describe('a text model outside the catalogue', () => {
  it.each(['gpt-6.1-sol', 'openai/gpt-6.1-sol'])(
    'is sent to the vendor of its family, at the highest prices of the family: %s',
    async (name) => {
      const answer = await ask(name);
      expect([answer.status, answer.json.model]).toEqual([200, 'openai/gpt-6.1-sol']);
      expect(stage.vendors.openai.seen.map(({ json }) => json.model)).toEqual(['gpt-6.1-sol']);
      const { prompt_tokens, completion_tokens, cost } = answer.json.usage;
      expect(cost).toBeCloseTo(prompt_tokens * GPT.prompt + completion_tokens * GPT.completion, 12);
      expect(await record(answer.json.id)).toMatchObject({ model: 'openai/gpt-6.1-sol', price_assumed: true });
      const details = await stage.service.management.get(`/generations/${answer.json.id}`);
      expect(details.json.data).toMatchObject({ model: 'openai/gpt-6.1-sol', price_assumed: true });
    },
  );

  it.each(['claude-opus-5-5', 'anthropic/claude-opus-5.5'])('is served on /messages: %s', async (name) => {
    stage.claude();
    const answer = await stage.messages({ model: name });
    expect(answer.status).toBe(200);
    expect(stage.anthropic.seen.at(-1)!.json.model).toBe('claude-opus-5-5');
    const { input_tokens, output_tokens, cost } = answer.json.usage;
    const data = await record(answer.headers.get('x-generation-id')!);
    expect(data).toMatchObject({ model: 'anthropic/claude-opus-5-5', price_assumed: true });
    expect(data.total_cost).toBeGreaterThan(input_tokens * CLAUDE.prompt * 0.99);
    expect(cost ?? data.total_cost).toBeCloseTo(data.total_cost, 12);
    expect(output_tokens).toBeGreaterThan(0);
  });

  it('is served on /responses and streamed', async () => {
    const json = { model: 'gpt-6.1-sol', input: 'Hello', max_output_tokens: 16 };
    expect((await stage.service.standard.post('/responses', { json })).status).toBe(200);
    expect((await ask('gpt-6.1-sol', { stream: true })).status).toBe(200);
  });

  it('is counted by family in the metrics, and price_assumed is absent for a known model', async () => {
    const answer = await ask('rules/openai');
    expect(await record(answer.json.id)).not.toHaveProperty('price_assumed');
    const families = await stage.service.app.get(Metrics, { strict: false }).collect();
    const counted = (families as readonly PlainFamily[]).find(
      ({ name }) => name === 'gatehouse_price_assumed_calls_total',
    )!;
    expect(counted.samples).toContainEqual({ labels: { family: 'claude-*' }, value: 2 });
  });

  it('is returned by GET /models/{id} with its assumed prices, and is not in the list of models', async () => {
    const { status, json } = await stage.service.standard.get('/models/gpt-6.1-sol');
    expect([status, json.id]).toEqual([200, 'openai/gpt-6.1-sol']);
    expect(json.pricing).toMatchObject({ prompt: '0.00003', completion: '0.00018' });
    expect((await stage.service.standard.get('/models?q=gpt-6.1-sol')).json.data).toEqual([]);
  });

  it('is 404 if its vendor does not know it, and leaves no usage label with its name', async () => {
    stage.vendors.openai.script({ status: 404, body: { error: { message: 'no such model' } } });
    const answer = await ask('gpt-nobody-knows');
    expect(answer.status).toBe(404);
    expect(answer.json.error.message).toMatch(/has no model gpt-nobody-knows\. GET \/models lists the models/);
    const labels = await stage.service.sql.query('select value from usage_label where value like $1', ['%nobody%']);
    expect(labels).toEqual([]);
  });

  it.each([
    'gpt-image-9',
    'gpt-9-tts',
    'gpt-9-search-preview',
    'gpt-realtime-9',
    'text-embedding-9',
    'gpt-9:free',
    'GPT-9',
  ])('is 404 if its name is not the name of a plain text model: %s', async (name) => {
    expect((await ask(name)).status).toBe(404);
    expect(stage.vendors.openai.seen).toEqual([]);
  });

  it.each([
    ['/images', { prompt: 'A' }],
    ['/audio/speech', { input: 'A', voice: 'alloy' }],
    ['/embeddings', { input: 'A' }],
  ])('is 404 on %s', async (path, more) => {
    const { status } = await stage.service.standard.post(path, { json: { model: 'gpt-6.1-sol', ...more } });
    expect(status).toBe(404);
  });

  it('is refused if the request uses a web search of the vendor, whose price is not known', async () => {
    const searched = await ask('gpt-6.1-sol', { web_search_options: {} });
    expect([searched.status, stage.vendors.openai.seen]).toEqual([400, []]);
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    expect((await stage.messages({ model: 'claude-opus-5-5', tools })).status).toBe(400);
  });

  it('is allowed by a key only if its name or a pattern is in the allowed models of the key', async () => {
    const { management } = stage.service;
    const made = await makeKey(management);
    const allow = async (...allowed_models: string[]): Promise<number> => {
      expect((await management.put(`/keys/${made.hash}/settings`, { json: { allowed_models } })).status).toBe(200);
      const body = { model: 'gpt-6.1-sol', max_tokens: 10, messages: HELLO };
      return (await stage.chat(body, { key: made.key })).status;
    };
    expect(await allow('openai/gpt-5.5')).toBe(404);
    expect(await allow('gpt-6.1-sol')).toBe(200);
    expect(await allow('openai/*')).toBe(200);
    expect(await allow('gpt-6.2-sol', 'openai/gpt-5.5-pro')).toBe(404);
  });
});
