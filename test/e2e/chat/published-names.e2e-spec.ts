import { AllowedModels } from '../../../src/inference/allowed-models.js';
import { makeKey } from '../../support/api/api-builders.js';
import { untilCredentials } from '../../support/api/byok-setting.js';
import { eventually } from '../../support/eventually.js';
import { operate } from '../../support/services/operator-line.js';
import { aTextEndpoint, HELLO, startTextStage, type TextStage } from '../../support/calls/text-stage.js';

let stage: TextStage;
beforeAll(async () => {
  stage = await startTextStage({ env: { MODEL_WILDCARDS: 'off' } });
});
afterAll(() => stage.stop());
afterEach(() => stage.vendors.openai.seen.splice(0));

const ask = (model: string, more: object = {}) => stage.chat({ model, max_tokens: 10, ...more });
const sentNames = (): unknown[] => stage.vendors.openai.seen.map(({ json }) => json.model);
const get = (path: string) => stage.service.standard.get(path);

describe('a model id of the published API', () => {
  it('is served, and the response and the record have the id of the catalogue', async () => {
    const answer = await ask('openai/gpt-5.1-chat');
    expect([answer.status, answer.json.model]).toEqual([200, 'openai/gpt-5.1-chat-latest']);
    const { data } = (await get(`/generation?id=${answer.json.id}`)).json;
    expect(data.model).toBe('openai/gpt-5.1-chat-latest');
  });

  it('is forwarded with its date', async () => {
    const provider = { only: ['openai'] };
    const answer = await ask('openai/gpt-4o-mini-2024-07-18', { provider });
    expect([answer.status, answer.json.model]).toEqual([200, 'openai/gpt-4o-mini']);
    expect((await ask('gpt-4o-mini-2024-07-18', { provider })).status).toBe(200);
    expect((await ask('gpt-4o-mini', { provider })).status).toBe(200);
    expect(sentNames()).toEqual(['gpt-4o-mini-2024-07-18', 'gpt-4o-mini-2024-07-18', 'gpt-4o-mini']);
  });

  it('may be a fallback', async () => {
    stage.vendors.openai.script({ status: 500, body: {} });
    const answer = await ask('rules/openai', { models: ['OpenAI/GPT-5-Chat'] });
    expect([answer.status, answer.json.model]).toEqual([200, 'openai/gpt-5-chat-latest']);
  });

  it.each([
    ['anthropic/claude-sonnet-4.5', 'anthropic/claude-sonnet-4-5'],
    ['anthropic/claude-3.5-haiku', 'anthropic/claude-3-5-haiku-20241022'],
    ['z-ai/glm-4.6', 'zhipuai/glm-4.6'],
    ['~openai/gpt-latest', 'openai/gpt-5.5'],
    ['openai/gpt-4o-mini-2024-07-18', 'openai/gpt-4o-mini'],
  ])('is found by all routes for one model: %s means %s', async (name, id) => {
    const [author, slug] = name.split('/');
    for (const path of [`/models/${name}`, `/models/${encodeURIComponent(name)}`])
      expect((await get(path)).json.id).toBe(id);
    expect((await get(`/model/${name}`)).json.data.id).toBe(id);
    expect((await get(`/models/${author}/${slug}/endpoints`)).json.data.id).toBe(id);
  });

  it.each(['claude-opus-4-7', 'claude-opus-4.7', 'gpt-5-codex', 'gpt-5-codex-2026-01-01'])(
    'may omit the author in GET /models/{id}: %s',
    async (name) => {
      const { status, json } = await get(`/models/${name}`);
      expect(status).toBe(200);
      expect(json.id).toMatch(/^(anthropic\/claude-opus-4-7|openai\/gpt-5-codex)$/);
    },
  );

  it('of an image model is found in the list of its endpoints', async () => {
    const { status, json } = await get('/images/models/google/Gemini-2.5-Flash-Image/endpoints');
    expect([status, json.id]).toEqual([200, 'google/gemini-2.5-flash-image']);
  });

  it('is refused with 404 and both slugs if it means two models', async () => {
    for (const { status, json } of [await ask('x-ai/grok-4.20'), await get('/models/x-ai/grok-4.20')]) {
      expect(status).toBe(404);
      expect(json.error.message).toMatch(
        /"x-ai\/grok-4\.20" is ambiguous: xai\/grok-4\.20-0309-non-reasoning, xai\/grok-4\.20-0309-reasoning\. /,
      );
    }
  });

  it.each([
    [
      'anthropic/claude-opus-4.77',
      /The most similar models are anthropic\/claude-opus-4-7, [\w./-]+, [\w./-]+\. GET \/models/,
    ],
    ['openai/gpt-oss-120b:free', /The most similar models are openai\/gpt-oss-120b, /],
    [
      'unheard-of',
      /"unheard-of" is not known\. The most similar models are [^,]+, [^,]+, [^,]+\. .*`operator models price set`/,
    ],
  ])('is refused with 404 and similar models if it is not known: %s', async (name, message) => {
    expect((await ask(name)).json.error.message).toMatch(message);
    expect((await get(`/models/${name}`)).json.error.message).toMatch(message);
    expect(sentNames()).toEqual([]);
  });

  it.each([
    ['openrouter/auto', /is not served here\. .*`operator models alias set openrouter\/auto <slug>`/],
    ['openai/o3-mini-high', /Name openai\/o3-mini and send reasoning\.effort high/],
    ['anthropic/claude-opus-4.7-fast', /Name anthropic\/claude-opus-4-7/],
  ])('is refused with an alternative if it is not served: %s', async (name, message) => {
    const answer = await ask(name);
    expect(answer.status).toBe(404);
    expect(answer.json.error.message).toMatch(message);
  });

  it('may be an alias that the operator sets, such as openrouter/auto', async () => {
    const { databaseUrl } = stage.service;
    const environment = { DATABASE_URL: databaseUrl, MASTER_KEY: 'a1'.repeat(32) };
    const words = ['models', 'alias', 'set', 'openrouter/auto', 'openai/GPT-5-chat'];
    expect((await operate(databaseUrl, environment, ...words)).error).toBeUndefined();
    while ((await ask('openrouter/auto')).status !== 200) await new Promise(setImmediate);
    expect((await ask('openrouter/auto')).json.model).toBe('openai/gpt-5-chat-latest');
    expect((await get('/models/openrouter/auto')).json.id).toBe('openai/gpt-5-chat-latest');
  });
});

describe('a name of a known family, with MODEL_WILDCARDS=off', () => {
  it.each(['gpt-6.1-sol', 'anthropic/claude-opus-5.5'])('is refused with 404 and similar models: %s', async (name) => {
    for (const { status, json } of [await ask(name), await get(`/models/${name}`)]) {
      expect(status).toBe(404);
      expect(json.error.message).toMatch(/ is not known\. The most similar models are .*`operator models price set`/);
    }
    expect(sentNames()).toEqual([]);
  });
});

describe('published names in lists, filters and preferences', () => {
  it("are accepted in a key's allowed models, and read unchanged", async () => {
    const { management } = stage.service;
    const made = await makeKey(management);
    const allowed_models = ['openai/gpt-5.1-chat', 'x-ai/*', 'openai/gpt-4o-mini-2024-07-18'];
    const put = await management.put(`/keys/${made.hash}/settings`, { json: { allowed_models } });
    expect([put.status, put.json.data?.allowed_models]).toEqual([200, allowed_models]);
    const status = async (model: string): Promise<number> =>
      (await stage.chat({ model, max_tokens: 10, messages: HELLO }, { key: made.key })).status;
    expect(await status('openai/gpt-5.1-chat-latest')).toBe(200);
    expect(await status('openai/gpt-4o-mini')).toBe(200);
    expect(await status('openai/gpt-5.2-chat')).toBe(404);
    const allowed = stage.service.app.get(AllowedModels, { strict: false });
    expect(allowed.allows(allowed_models, 'xai/grok-4.3')).toBe(true);
    expect(allowed.allows(allowed_models, 'mistral/mistral-nemo')).toBe(false);
    expect(allowed.allows(['x-ai/grok-4.20'], 'xai/grok-4.20-0309-reasoning')).toBe(false);
  });

  it('are accepted in the allowed models of a BYOK credential', async () => {
    const { management } = stage.service;
    stage.teach('xai/own-1.0', [aTextEndpoint('openai')]);
    const json = { provider: 'openai', key: 'sk-own', allowed_models: ['x-ai/own-1-0'] };
    const { data } = (await management.post('/byok', { json })).json;
    await untilCredentials(stage.service, 1, 'x-ai/own-1-0');
    const answer = await ask('xai/own-1.0');
    const other = await ask('openai/gpt-4o-mini');
    await management.delete(`/byok/${data.id}`);
    expect((await get(`/generation?id=${answer.json.id}`)).json.data.is_byok).toBe(true);
    expect((await get(`/generation?id=${other.json.id}`)).json.data.is_byok).toBe(false);
  });

  it('filter the models by author and provider', async () => {
    const ids = async (query: string): Promise<string[]> =>
      (await get(`/models?${query}`)).json.data.map(({ id }: { id: string }) => id);
    expect(await ids('model_authors=x-ai')).toEqual(await ids('model_authors=xai'));
    expect(await ids('model_authors=x-ai')).not.toEqual([]);
    expect(await ids('providers=google-ai-studio')).toEqual(await ids('providers=google'));
  });

  it('choose the providers of a call', async () => {
    stage.teach('maker/two', [aTextEndpoint('siliconflow'), aTextEndpoint('openai')]);
    stage.teach('maker/other', [aTextEndpoint('togetherai', { adapter: 'openai-compatible' })]);
    const refused = await ask('maker/other', { provider: { only: ['together'] } });
    expect(refused.json.error.message).toMatch(/TOGETHERAI_API_KEY/);
    expect((await ask('maker/other', { provider: { ignore: ['together'] } })).json.error.message).toMatch(
      /preferences/,
    );
  });

  it('filter the list of calls', async () => {
    const { id } = (await ask('openai/gpt-4.1-mini')).json;
    const ids = async (model: string): Promise<string[]> =>
      (await stage.service.management.get(`/generations?model=${model}`)).json.data.map(
        (one: { id: string }) => one.id,
      );
    await eventually(async () => expect(await ids('openai/gpt-4.1-mini')).toEqual([id]));
    for (const name of ['openai/gpt-4-1-mini', 'OpenAI/GPT-4.1-mini', 'openai/gpt-4.1-mini-2025-04-14'])
      expect([name, await ids(name)]).toEqual([name, [id]]);
    expect(await ids('openai/gpt-4-1-nano')).toEqual([]);
    expect(await ids('nobody/knows-this')).toEqual([]);
  });

  it('filter the rows of analytics', async () => {
    await ask('openai/gpt-5.2-chat');
    const count = async (field: string, value: string): Promise<number> => {
      const json = { metrics: ['request_count'], filters: [{ field, operator: 'eq', value }] };
      return (await stage.service.management.post('/analytics/query', { json })).json.data.data[0]?.request_count ?? 0;
    };
    while ((await count('model', 'openai/gpt-5.2-chat-latest')) === 0) await new Promise(setImmediate);
    expect(await count('model', 'OpenAI/gpt-5-2-chat')).toBe(1);
    expect(await count('model', 'openai/gpt-5.2-codex')).toBe(0);
  });
});
