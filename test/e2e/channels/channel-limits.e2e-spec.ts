import { ENVIRONMENT_KEY, keyOf, startChannelStage, type ChannelStage } from '../../support/api/channel-stage.js';
import { anImageEndpoint, aSpeechEndpoint, teach } from '../../support/catalogue/test-catalogue.js';
import { anEndpoint } from '../../support/catalogue/catalogue-builder.js';
import { CHAT_USAGE } from '../../support/vendors/scripted-chat-vendor.js';
import { startScriptedVendor, type ScriptedVendor } from '../../support/vendors/scripted-vendor.js';

const FIRST = 'sk-first-credential-0123456789';
const SECOND = 'sk-second-credential-0123456789';

describe('the use of a credential', () => {
  let stage: ChannelStage;
  let media: ScriptedVendor;
  beforeAll(async () => {
    stage = await startChannelStage();
    media = await startScriptedVendor();
    teach(stage.service, {
      'rules/picture': [anImageEndpoint('groq')],
      'rules/voice': [aSpeechEndpoint('groq')],
      'rules/vectors': [
        anEndpoint('groq', {
          capability: 'embeddings',
          adapter: 'openai-compatible',
          upstreamModel: 'vectors',
          tokenPrices: { prompt: '0.000001', completion: '0' },
          textLimits: { contextLength: 8_000, maxCompletionTokens: 0, tokensPerImage: 0 },
        }),
      ],
    });
  });
  afterEach(() => stage.clear());
  afterAll(async () => {
    await stage.stop();
    await media.close();
  });
  const used = (key: string): number => stage.keys().filter((one) => one === key).length;

  it('stops at the requests per minute of the credential, and another credential is used', async () => {
    await stage.store({ key: FIRST, priority: -1, rpm: 3 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => stage.chat()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect([used(FIRST), used(ENVIRONMENT_KEY)]).toEqual([3, 7]);
  });

  it('stops at the tokens per minute of the credential', async () => {
    await stage.store({ key: FIRST, priority: -1, tpm: CHAT_USAGE.total_tokens + 1 });
    for (let call = 0; call < 4; call++) expect((await stage.chat({ stream: call % 2 === 0 })).status).toBe(200);
    expect([used(FIRST), used(ENVIRONMENT_KEY)]).toEqual([2, 2]);
  });

  it('is refused with 503 and Retry-After if no credential is available', async () => {
    await stage.store({ key: FIRST, provider: 'groq', rpm: 1 });
    expect((await stage.chat({ model: 'rules/stored' })).status).toBe(200);
    for (let call = 0; call < 2; call++) {
      const refused = await stage.chat({ model: 'rules/stored' });
      expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([503, expect.closeTo(60, -1)]);
    }
    expect(stage.keys()).toEqual([FIRST]);
  });

  it.each([true, false])('stops at the maximum of concurrent calls (stream: %s)', async (stream) => {
    await stage.store({ key: FIRST, provider: 'groq', max_concurrent: 2 });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const body = { model: 'rules/stored', stream };
    stage.vendor.script(
      ...[1, 2].map(() => ({ ...(stream ? { events: ['[DONE]'] } : { body: {} }), holdAfter: 0, released })),
    );
    const held = [stage.chat(body), stage.chat(body)];
    while (stage.vendor.seen.length < 2) await new Promise(setImmediate);
    const refused = await stage.chat(body);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    release();
    await Promise.all(held);
    expect((await stage.chat(body)).status).toBe(200);
    expect((await stage.chat(body)).status).toBe(200);
  });

  it('is restricted to the allowed models, which are called by the names in model_names', async () => {
    await stage.store({
      key: FIRST,
      priority: -2,
      allowed_models: ['rules/two'],
      model_names: { 'rules/two': 'deployed' },
    });
    await stage.store({ key: SECOND, priority: -1, denied_models: ['rules/one'] });
    await stage.chat();
    await stage.chat({ model: 'rules/two', provider: { only: ['openai'] } });
    expect(stage.vendor.seen.map((call) => [keyOf(call), call.json.model])).toEqual([
      [ENVIRONMENT_KEY, 'vendor-model'],
      [FIRST, 'deployed'],
    ]);
  });

  it.each(['gpt-4o-mini', 'openai/gpt-4o-mini-2024-07-18', 'OpenAI/GPT-4o-mini', 'openai/gpt-4o-mini'])(
    "sends the vendor's name of the model if model_names has the model as %s",
    async (name) => {
      const model_names = { [name]: 'deployed', 'nobody/knows-this': 'other' };
      const { id, model_names: returned } = await stage.store({ key: FIRST, priority: -1, model_names });
      expect(returned).toEqual(model_names);
      const call = { model: 'openai/gpt-4o-mini', max_tokens: 10, provider: { only: ['openai'] } };
      expect((await stage.chat(call)).status).toBe(200);
      await stage.service.management.post(`/providers/credentials/${id}/test`, { json: { model: call.model } });
      expect(stage.vendor.seen.map((seen) => [keyOf(seen), seen.json.model])).toEqual([
        [FIRST, 'deployed'],
        [FIRST, 'deployed'],
      ]);
    },
  );

  it('is impossible with two names of one model in model_names: creation and change are refused', async () => {
    const { management } = stage.service;
    const refusal = [400, 'model_names must name each model once: two names mean openai/gpt-4o-mini'];
    const { id } = await stage.store({ key: FIRST, model_names: { 'gpt-4o-mini': 'deployed' } });
    const model_names = { 'openai/gpt-4o-mini': 'one', 'openai/gpt-4o-mini-2024-07-18': 'one' };
    for (const { status, json } of [
      await management.post('/providers/credentials', { json: { provider: 'openai', key: SECOND, model_names } }),
      await management.patch(`/providers/credentials/${id}`, { json: { model_names } }),
    ])
      expect([status, json.error?.message]).toEqual(refusal);
    const changed = await management.patch(`/providers/credentials/${id}`, {
      json: { model_names: { 'openai/gpt-4o-mini': 'one' } },
    });
    expect(changed.json.data.model_names).toEqual({ 'openai/gpt-4o-mini': 'one' });
  });

  it('sends the headers, the secret headers and the API version of the credential to its address', async () => {
    await stage.store({
      key: FIRST,
      priority: -1,
      base_url: stage.other.baseUrl,
      api_version: '2026-01-01',
      headers: { 'X-Project': 'seven' },
      secret_headers: { 'X-Gateway-Token': 'gateway-token-0123456789' },
    });
    expect((await stage.chat()).status).toBe(200);
    const [{ headers, path }] = stage.other.seen as [(typeof stage.other.seen)[0]];
    expect([path, headers['x-project'], headers['x-gateway-token'], headers['authorization']]).toEqual([
      '/v1/chat/completions?api-version=2026-01-01',
      'seven',
      'gateway-token-0123456789',
      `Bearer ${FIRST}`,
    ]);
  });

  it.each([
    ['/embeddings', { model: 'rules/vectors', input: 'Hello' }, 'chat'],
    ['/images', { model: 'rules/picture', prompt: 'A kite' }, 'media'],
    ['/audio/speech', { model: 'rules/voice', input: 'Hello', voice: 'alloy' }, 'media'],
  ] as const)('changes to the next credential after a 429 in calls of %s too', async (path, json, kind) => {
    const base_url = kind === 'media' ? media.baseUrl : stage.vendor.baseUrl;
    await stage.store({ key: FIRST, provider: 'groq', priority: -1, base_url });
    await stage.store({ key: SECOND, provider: 'groq', base_url });
    const limited = { status: 429, headers: { 'retry-after': '60' }, body: {} };
    stage.answers(FIRST, limited);
    if (kind === 'media') media.script({ kind: 'status', status: 429 });
    const seen = kind === 'media' ? media.seen : stage.vendor.seen;
    seen.length = 0;
    for (let call = 0; call < 2; call++) expect((await stage.service.standard.post(path, { json })).status).toBe(200);
    expect(seen.map(keyOf)).toEqual([FIRST, SECOND, SECOND]);
  });
});
