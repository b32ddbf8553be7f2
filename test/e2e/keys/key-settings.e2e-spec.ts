import { makeKey, type MadeKey } from '../../support/api/api-builders.js';
import { cached, cacheStatus } from '../../support/calls/cached-calls.js';
import { mintInternKey } from '../../support/interns/intern-origin.js';
import { aTextEndpoint, HELLO, startTextStage, type TextStage } from '../../support/calls/text-stage.js';
import { eventually } from '../../support/eventually.js';

const SPEECH = { json: { model: 'builtin/flite', voice: 'slt', input: 'Hi' } };
const PICTURE = { json: { model: 'builtin/poster', prompt: 'A', size: '64x64' } };
const NEW = {
  allowed_models: null,
  requests_per_minute: null,
  cache: { enabled: false, ttl_seconds: null },
  export_content: false,
  tokens_per_minute: null,
  max_concurrent: null,
  models: null,
  each_end_user: null,
  session_max_calls: null,
  session_limit_usd: null,
  trust_end_user_headers: false,
  class: 'standard',
  role: null,
  raise: null,
};

describe('the settings of a key', () => {
  let stage: TextStage;
  let made: MadeKey;
  beforeAll(async () => {
    stage = await startTextStage({ env: { RATE_LIMIT_INFERENCE: 'off' } });
    stage.teach('others/model', [aTextEndpoint('deepinfra')]);
  });
  afterAll(() => stage.stop());
  beforeEach(async () => {
    made = await makeKey(stage.service.management);
  });
  const path = (hash = made.hash): string => `/keys/${hash}/settings`;
  const put = (json: object, hash = made.hash) => stage.service.management.put(path(hash), { json });
  const reserved = async (): Promise<number> =>
    (await stage.service.sql.query<{ n: number }>('select count(*)::int as n from reservation'))[0]!.n;
  const calls = (): number => Object.values(stage.vendors).reduce((sum, { seen }) => sum + seen.length, 0);

  it('do not restrict a new key; a change keeps the members that the request omits', async () => {
    expect((await stage.service.management.get(path())).json).toEqual({ data: NEW });
    const limited = await put({
      allowed_models: ['rules/openai', 'rules/openai', 'builtin/*'],
      requests_per_minute: 60,
    });
    const expected = { ...NEW, allowed_models: ['rules/openai', 'builtin/*'], requests_per_minute: 60 };
    expect([limited.status, limited.json]).toEqual([200, { data: expected }]);
    const cache = await put({ cache: { enabled: true }, export_content: true });
    expect(cache.json.data).toEqual({ ...expected, cache: { enabled: true, ttl_seconds: 300 }, export_content: true });
    expect((await put({ cache: { enabled: true, ttl_seconds: 86_400 } })).json.data.cache.ttl_seconds).toBe(86_400);
    expect((await put({ cache: { enabled: true } })).json.data.cache.ttl_seconds).toBe(86_400);
    const { data } = (
      await put({ allowed_models: null, requests_per_minute: null, cache: null, export_content: false })
    ).json;
    expect(data).toEqual(NEW);
    expect((await stage.service.management.get(`/keys/${made.hash}`)).json.data).toEqual({
      ...made.data,
      updated_at: expect.any(String),
    });
  });

  it('have limits of tokens, concurrent calls, models, end users and sessions, which change separately', async () => {
    const { data } = (
      await put({
        tokens_per_minute: 1_000_000_000,
        max_concurrent: 100_000,
        models: { 'rules/openai': { requests_per_minute: 5, max_concurrent: null }, 'others/model': {} },
        each_end_user: { tokens_per_minute: 7 },
        session_max_calls: 1_000_000,
        trust_end_user_headers: true,
      })
    ).json;
    const expected = {
      ...NEW,
      tokens_per_minute: 1_000_000_000,
      max_concurrent: 100_000,
      models: { 'rules/openai': { requests_per_minute: 5, tokens_per_minute: null, max_concurrent: null } },
      each_end_user: { requests_per_minute: null, tokens_per_minute: 7, max_concurrent: null },
      session_max_calls: 1_000_000,
      trust_end_user_headers: true,
    };
    expect(data).toEqual(expected);
    expect((await put({ max_concurrent: 1 })).json.data).toEqual({ ...expected, max_concurrent: 1 });
    expect((await put({ models: {}, each_end_user: {} })).json.data).toMatchObject({
      tokens_per_minute: 1_000_000_000,
      models: null,
      each_end_user: null,
    });
    const none = { tokens_per_minute: null, max_concurrent: null, session_max_calls: null };
    expect((await put({ ...none, trust_end_user_headers: false })).json.data).toEqual(NEW);
    const [row] = await stage.service.sql.query('select call_limits from api_key where hash = $1', [made.hash]);
    expect(row).toEqual({ call_limits: null });
  });

  it.each([
    [{ allowed_models: ['rules/unknown'] }],
    [{ allowed_models: ['nobody/*'] }],
    [{ allowed_models: ['*'] }],
    [{ allowed_models: ['rules*'] }],
    [{ allowed_models: [''] }],
    [{ allowed_models: 'rules/openai' }],
    [{ allowed_models: Array.from({ length: 101 }, () => 'rules/openai') }],
    [{ requests_per_minute: 0 }],
    [{ requests_per_minute: 1_000_001 }],
    [{ requests_per_minute: 1.5 }],
    [{ cache: { enabled: true, ttl_seconds: 0 } }],
    [{ cache: { enabled: true, ttl_seconds: 86_401 } }],
    [{ cache: { ttl_seconds: 60 } }],
    [{ cache: true }],
    [{ export_content: null }],
    [{ tokens_per_minute: 0 }],
    [{ tokens_per_minute: 1_000_000_001 }],
    [{ max_concurrent: 0 }],
    [{ max_concurrent: 100_001 }],
    [{ session_max_calls: 0 }],
    [{ session_max_calls: 1_000_001 }],
    [{ trust_end_user_headers: null }],
    [{ models: [] }],
    [{ models: { 'rules/unknown': { max_concurrent: 1 } } }],
    [{ models: { 'rules/*': { max_concurrent: 1 } } }],
    [{ models: { 'rules/openai': null } }],
    [{ models: { 'rules/openai': { max_concurrent: 0 } } }],
    [{ models: { 'rules/openai': { tokens_per_minute: '5' } } }],
    [{ models: { 'rules/openai': { limit: 5 } } }],
    [{ models: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`rules/m${n}`, {}])) }],
    [{ each_end_user: { max_concurrent: 1.5 } }],
    [{ each_end_user: { models: {} } }],
    [{ each_end_user: [] }],
    [{ limit: 5 }],
  ])('are refused with 400 for %j, and do not change', async (json) => {
    expect((await put(json)).status).toBe(400);
    expect((await stage.service.management.get(path())).json.data).toEqual(NEW);
  });

  it('are refused with 400 if two names in models belong to the same model', async () => {
    const { status, json } = await put({ models: { 'openai/gpt-4o-mini': { max_concurrent: 1 }, 'gpt-4o-mini': {} } });
    const message = 'models: "openai/gpt-4o-mini" and "gpt-4o-mini" are names of the same model: send only one of them';
    expect([status, json.error.message]).toEqual([400, message]);
  });

  it('refuse models outside allowed_models with 404 in all formats, before anything is reserved or sent', async () => {
    await put({ allowed_models: ['others/*'] });
    const key = stage.service.as(made.key);
    const before = [await reserved(), calls()];
    const refused = [
      await stage.chat({ model: 'rules/openai', messages: HELLO }, made),
      await stage.chat({ model: 'rules/openai', models: ['rules/siliconflow'], messages: HELLO }, made),
      await stage.chat({ model: 'rules/openai', messages: HELLO, stream: true }, made),
      await stage.messages({ model: 'rules/openai', max_tokens: 5, messages: HELLO }, made),
      await key.post('/audio/speech', SPEECH),
      await key.post('/images', PICTURE),
    ];

    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    expect(refused[0]!.json.error).toMatchObject({
      message: expect.stringContaining('"rules/openai" is not allowed for this API key'),
      metadata: { availability: { code: 'constraint_filtered', retryable: false } },
    });
    expect([await reserved(), calls()]).toEqual(before);
    expect((await stage.chat({ model: 'others/model', messages: HELLO }, made)).status).toBe(200);
    const mine = (await key.get('/models/user')).json.data as { id: string }[];
    expect(mine.map(({ id }) => id)).toEqual(['others/model']);
    await put({ allowed_models: [] });
    expect((await stage.chat({ model: 'others/model', messages: HELLO }, made)).status).toBe(404);
  });

  it('allow a fallback in allowed_models even if the first model of the request is not in allowed_models', async () => {
    await put({ allowed_models: ['others/model'] });
    const answer = await stage.chat({ model: 'rules/openai', models: ['others/model'], messages: HELLO }, made);
    expect([answer.status, answer.json.model]).toEqual([200, 'others/model']);
    stage.vendors.deepinfra.clear();
  });

  it('refuse a model even if a response of the model is in the response cache', async () => {
    const chat = { model: 'rules/openai', messages: [{ role: 'user', content: 'kept' }] };
    const request = { key: made.key, headers: cached() };
    expect(cacheStatus(await stage.chat(chat, request))).toBe('MISS');
    expect(cacheStatus(await stage.chat(chat, request))).toBe('HIT');
    await put({ allowed_models: ['others/model'] });
    expect((await stage.chat(chat, request)).status).toBe(404);
  });

  it('turn the response cache on for requests without a cache header', async () => {
    await put({ cache: { enabled: true, ttl_seconds: 60 } });
    const chat = { model: 'rules/openai', messages: [{ role: 'user', content: 'by the setting' }] };
    expect(cacheStatus(await stage.chat(chat, made))).toBe('MISS');
    expect(cacheStatus(await stage.chat(chat, made))).toBe('HIT');
    await put({ cache: { enabled: false } });
    expect(cacheStatus(await stage.chat(chat, made))).toBeNull();
  });

  it('refuse requests above requests_per_minute with 429, but no requests of other keys', async () => {
    await put({ requests_per_minute: 2 });
    const key = stage.service.as(made.key);
    const first = await key.get('/key');
    expect(first.headers.get('x-ratelimit-limit')).toBe('2');
    const answers = [first, await key.post('/audio/speech', SPEECH), await key.get('/key')];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]!.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(Number(answers[2]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await stage.service.standard.get('/key')).status).toBe(200);
    await put({ requests_per_minute: 3 });
    expect((await key.get('/key')).status).toBe(429);
    await put({ requests_per_minute: null });
    expect((await key.get('/key')).status).toBe(200);
  });

  it('apply one rate limit to the former and the new secret of a rotated key', async () => {
    const { json } = await stage.service.management.post(`/keys/${made.hash}/rotate`, { json: { grace_seconds: 600 } });
    await put({ requests_per_minute: 2 }, json.data.hash);
    const statuses: number[] = [];
    for (const key of [made.key, json.key, made.key, json.key])
      statuses.push((await stage.service.as(key).get('/key')).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
  });

  it('apply to the interns of the key, because keys of interns have no settings', async () => {
    const { service } = stage;
    const internId = (await service.as(made.key).post('/interns', { json: { name: 'helper' } })).json.id as string;
    const intern = await service.inside(internId, await mintInternKey(service.app, service.sql, internId));
    const [{ hash } = { hash: '' }] = await service.sql.query<{ hash: string }>(
      'select hash from api_key where intern_id = $1',
      [internId],
    );
    const chat = async (model: string): Promise<number> =>
      (await intern.post('/chat/completions', { json: { model, messages: HELLO } })).status;
    const { status, json } = await intern.post('/chat/completions', {
      json: { model: 'rules/openai', messages: HELLO },
    });
    expect([status, json.error]).toEqual([200, undefined]);
    await put({ allowed_models: ['others/model'], requests_per_minute: 3 });

    // A notification replaces the cache entry of the intern's key, which contains the settings of its parent.
    await eventually(async () => expect(await chat('rules/openai')).toBe(404));
    expect((await service.as(made.key).get('/key')).status).toBe(200);
    expect(await chat('others/model')).toBe(200);
    expect(await chat('others/model')).toBe(429);
    expect((await put({ allowed_models: null }, hash)).status).toBe(404);
    expect((await stage.service.management.get(path(hash))).status).toBe(404);
    expect((await stage.service.management.post(`/keys/${hash}/rotate`, {})).status).toBe(404);
  });
});
