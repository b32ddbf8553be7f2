import { hashOfKey } from '../../../src/auth/key-secret.js';
import { makeKey } from '../../support/api/api-builders.js';
import { accountTotals, settledSpend } from '../../support/money/account-totals.js';
import type { ApiAnswer, ApiClient } from '../../support/api/api-client.js';
import { storeUnchecked, untilCredentials } from '../../support/api/byok-setting.js';
import { startScriptedVendor, type ScriptedVendor, type VendorFault } from '../../support/vendors/scripted-vendor.js';
import { anImageEndpoint, aSpeechEndpoint, teach } from '../../support/catalogue/test-catalogue.js';
import {
  startTestService,
  TEST_API_KEY,
  TEST_MANAGEMENT_KEY,
  type TestService,
} from '../../support/services/test-service.js';

const MODEL = 'own/picture';
const refusal: VendorFault = { kind: 'status', status: 401, body: { error: { message: 'no' } } };

describe("calls with the caller's own credentials", () => {
  let vendor: ScriptedVendor;
  let service: TestService;
  beforeAll(async () => {
    vendor = await startScriptedVendor();
    service = await startTestService({
      env: {
        OPENAI_API_KEY: 'the-platforms-credential',
        OPENAI_BASE_URL: vendor.baseUrl,
        GROQ_BASE_URL: vendor.baseUrl,
        BOOTSTRAP_CREDITS_USD: '0.05',
      },
    });
    teach(service, {
      [MODEL]: [anImageEndpoint('openai')],
      'own/other': [anImageEndpoint('openai')],
      'own/bare': [anImageEndpoint('groq')],
      'own/speech': [
        aSpeechEndpoint('openai', { pricing: [{ billable: 'input_text', unit: 'character', costUsd: '0.001' }] }),
      ],
    });
  });
  beforeEach(() => void (vendor.seen.length = 0));
  afterEach(async () => {
    for (const { id } of (await service.management.get('/byok')).json.data)
      await service.management.delete(`/byok/${id}`);
    await known(0);
    await known(0, 'own/bare', TEST_API_KEY, 'groq');
  });
  afterAll(async () => {
    await service.stop();
    await vendor.close();
  });

  const bring = async (key: string, fields: object = {}): Promise<string> => {
    const answer = await service.management.post('/byok', { json: { provider: 'openai', key, ...fields } });
    expect(answer.status).toBe(201);
    return answer.json.data.id;
  };
  const known = (count: number, model = MODEL, key = TEST_API_KEY, provider = 'openai'): Promise<void> =>
    untilCredentials(service, count, model, key, provider);
  const draw = (fields: object = {}, as: ApiClient = service.standard): Promise<ApiAnswer> =>
    as.post('/images', { json: { model: MODEL, prompt: 'A kite', ...fields } });
  const credentials = (): string[] => vendor.seen.map(({ headers }) => headers.authorization!.replace('Bearer ', ''));
  const usageOf = async (hash: string): Promise<Record<string, number>> =>
    (await service.management.get(`/keys/${hash}`)).json.data;

  it("use the caller's credentials by sort_order, then the platform's, then the fallback credentials", async () => {
    await bring('own-as-a-fallback-01', { is_fallback: true });
    const second = await bring('own-second-credential');
    await bring('own-first-credential');
    await service.management.patch(`/byok/${second}`, { json: { sort_order: 9 } });
    await known(3);
    vendor.script(refusal, refusal, refusal);
    const answer = await draw();
    expect(credentials()).toEqual([
      'own-first-credential',
      'own-second-credential',
      'the-platforms-credential',
      'own-as-a-fallback-01',
    ]);
    expect([answer.status, answer.json.usage.is_byok]).toEqual([200, true]);
  });

  it.each(['own\u0000credential', 'own\ncredential', 'own-\u4e00-credential'])(
    'with a key that no header can carry (%j) fail, but do not make the endpoint unhealthy',
    async (key) => {
      const bare = 'own/bare';
      // The API refuses such a key. An earlier version stored it.
      const id = await storeUnchecked(service, 'groq', key);
      await known(1, bare, TEST_API_KEY, 'groq');
      // More than the number of consecutive failures after which an unhealthy endpoint is skipped.
      for (let call = 0; call < 12; call++) expect((await draw({ model: bare })).status).toBe(502);
      await service.management.delete(`/byok/${id}`);
      await known(0, bare, TEST_API_KEY, 'groq');
      await bring('own-sound-credential', { provider: 'groq' });
      await known(1, bare, TEST_API_KEY, 'groq');
      expect((await draw({ model: bare })).status).toBe(200);
      expect(credentials()).toEqual(['own-sound-credential']);
    },
  );

  it('cost no credits, and records and responses report the upstream cost', async () => {
    await bring('own-first-credential');
    await known(1);
    const before = await settledSpend(service.sql);
    const standard = await usageOf(hashOfKey(TEST_API_KEY));
    const answer = await draw({ n: 2 });
    expect(answer.json.usage).toEqual({
      prompt_tokens: 0,
      completion_tokens: 0,
      total_tokens: 0,
      cost: 0,
      is_byok: true,
      cost_details: {
        upstream_inference_cost: 0.02,
        upstream_inference_prompt_cost: 0,
        upstream_inference_completions_cost: 0.02,
      },
    });
    const speech = await service.standard.post('/audio/speech', {
      json: { model: 'own/speech', input: 'Hello', voice: 'alloy' },
    });
    expect([speech.status, ...credentials()]).toEqual([200, 'own-first-credential', 'own-first-credential']);
    expect(await settledSpend(service.sql)).toBe(before);
    const now = await usageOf(hashOfKey(TEST_API_KEY));
    expect([now['usage'], (now['byok_usage']! - standard['byok_usage']!).toFixed(6)]).toEqual([
      standard['usage'],
      '0.025000',
    ]);
    const generation = await service.standard.get(`/generation?id=${answer.headers.get('x-generation-id')}`);
    expect(generation.json.data).toMatchObject({ is_byok: true, usage: 0, upstream_inference_cost: 0.02 });
  });

  it("need no credits, unlike calls with the platform's credential", async () => {
    await bring('own-first-credential');
    await known(1);
    expect((await draw({ n: 6 })).status).toBe(200);
    expect((await draw({ n: 6, model: 'own/other', provider: { ignore: ['nobody'] } })).status).toBe(200);
    vendor.script(refusal);
    // After the own credential, the plan continues with the platform's credential: 6 × 0.01 USD exceed the credits of
    // 0.05 USD.
    expect((await draw({ n: 6 })).status).toBe(402);
    expect((await accountTotals(service.sql)).reserved).toBe(0n);
  });

  it.each([
    [false, 200, null],
    [true, 402, 0.03],
  ])(
    'count towards the limit of a key only if include_byok_in_limit is true (value: %s)',
    async (include_byok_in_limit, status, left) => {
      const made = await makeKey(service.management, { name: 'limited', limit: 0.03, include_byok_in_limit });
      await bring('own-first-credential');
      await known(1, MODEL, made.key);
      expect((await draw({ n: 4 }, service.as(made.key))).status).toBe(status);
      const { limit_remaining, byok_usage } = await usageOf(made.hash);
      expect([limit_remaining, byok_usage]).toEqual(left === null ? [0.03, 0.04] : [left, 0]);
      expect((await draw({ n: 3 }, service.as(made.key))).status).toBe(200);
      expect((await usageOf(made.hash))['limit_remaining']).toBe(include_byok_in_limit ? 0 : 0.03);
    },
  );

  it('use a credential only if its allow-lists admit the model and the key', async () => {
    await bring('own-for-another-model', { allowed_models: ['own/other'] });
    await bring('own-for-another-key01', { allowed_api_key_hashes: [hashOfKey(TEST_MANAGEMENT_KEY)] });
    await bring('own-for-this-key-0001', { allowed_api_key_hashes: [hashOfKey(TEST_API_KEY)] });
    await known(1);
    await draw();
    await known(2, 'own/other');
    await draw({ model: 'own/other' });
    expect(credentials()).toEqual(['own-for-this-key-0001', 'own-for-another-model']);
  });

  it('use a credential only if each of its lists admits the call: model, key and acting member', async () => {
    const userId = (
      await service.sql.query<{ id: string }>('select creator_user_id as id from api_key where hash = $1', [
        hashOfKey(TEST_API_KEY),
      ])
    )[0]!.id;
    const [theirs, ours] = [{ allowed_models: ['own/other'] }, { allowed_models: [MODEL] }];
    const rows: (readonly [key: string, lists: object, admitted: boolean])[] = [
      ['own-for-another-user1', { allowed_user_ids: [crypto.randomUUID()] }, false],
      ['own-for-this-member-1', { allowed_user_ids: [crypto.randomUUID(), userId] }, true],
      ['own-user-but-no-model', { allowed_user_ids: [userId], ...theirs }, false],
      ['own-model-but-no-key1', { ...ours, allowed_api_key_hashes: [hashOfKey(TEST_MANAGEMENT_KEY)] }, false],
      [
        'own-for-all-of-these1',
        { ...ours, allowed_user_ids: [userId], allowed_api_key_hashes: [hashOfKey(TEST_API_KEY)] },
        true,
      ],
      ['own-that-is-disabled1', { disabled: true }, false],
      ['own-of-an-empty-list1', { allowed_models: [] }, false],
      ['own-without-any-list1', { allowed_models: null }, true],
    ];
    for (const [key, lists] of rows) await bring(key, lists);
    const admitted = rows.filter(([, , is]) => is).map(([key]) => key);
    await known(admitted.length);
    vendor.script(...admitted.map(() => refusal));
    expect((await draw()).status).toBe(200);
    expect(credentials()).toEqual([...admitted, 'the-platforms-credential']);
  });

  it("use own credentials before the platform's credential, even if another endpoint is cheaper", async () => {
    teach(service, {
      'own/two': [
        anImageEndpoint('openai', { pricing: [{ billable: 'output_image', unit: 'image', costUsd: '0.001' }] }),
        anImageEndpoint('groq'),
      ],
    });
    await bring('own-credential-of-groq', { provider: 'groq' });
    await known(1, 'own/two', TEST_API_KEY, 'groq');
    vendor.script(refusal);
    expect((await draw({ model: 'own/two' })).status).toBe(200);
    expect(credentials()).toEqual(['own-credential-of-groq', 'the-platforms-credential']);
    await service.management.delete(`/byok/${(await service.management.get('/byok')).json.data[0].id}`);
    await known(0, 'own/two', TEST_API_KEY, 'groq');
  });

  it('are served even if the platform has no credential', async () => {
    expect((await draw({ model: 'own/bare' })).json.error.message).toContain('GROQ_API_KEY');
    await bring('own-credential-of-groq', { provider: 'groq' });
    await known(1, 'own/bare', TEST_API_KEY, 'groq');
    expect([(await draw({ model: 'own/bare' })).status, ...credentials()]).toEqual([200, 'own-credential-of-groq']);
    const [groq] = (await service.management.get('/byok')).json.data;
    await service.management.delete(`/byok/${groq.id}`);
    await known(0, 'own/bare', TEST_API_KEY, 'groq');
  });

  it('write an audit row for each use, and never show the secret in a response', async () => {
    const id = await bring('own-secret-credential');
    await known(1);
    vendor.script({
      kind: 'status',
      status: 400,
      body: { error: { message: 'own-secret-credential is not allowed this size' } },
    });
    const refused = await draw();
    expect([refused.status, refused.json.error.message]).toEqual([
      400,
      expect.stringContaining('[redacted] is not allowed'),
    ]);
    await draw();
    expect(
      await service.sql.query(
        `select key_hash, resource_id from audit_entry where action = 'use' and resource_id = $1`,
        [id],
      ),
    ).toEqual([0, 1].map(() => ({ key_hash: hashOfKey(TEST_API_KEY), resource_id: id })));
  });
});
