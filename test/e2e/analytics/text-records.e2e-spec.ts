import { Ledger } from '../../../src/billing/ledger/ledger.js';
import { newId, timeOfId, toGenerationId } from '../../../src/kernel/ids.js';
import type { CallFacts } from '../../../src/kernel/call-facts.js';
import { generationDetail } from '../../../src/usage/generation-detail.js';
import { MODALITY, type GenerationRecord } from '../../../src/usage/generation-record.js';
import { UsageLabels } from '../../../src/usage/usage-labels.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';
import { hashOfKey } from '../../../src/auth/key-secret.js';

interface TextCall {
  readonly tokens: readonly [prompt: number, completion: number, reasoning: number | null, cached: number | null];
  readonly model?: string;
  readonly finishReason?: string;
  readonly status?: number;
  readonly facts?: CallFacts;
}

describe('the record of a text call', () => {
  let service: TestService;
  let key: { no: number; account_no: number; workspace_no: number };
  beforeAll(async () => {
    service = await startTestService({ env: { BOOTSTRAP_CREDITS_USD: '10' } });
    [key] = (await service.sql.query<typeof key>(
      `select k.no, a.no as account_no, w.no as workspace_no from api_key k
       join account a on a.id = k.account_id join workspace w on w.id = k.workspace_id where k.hash = $1`,
      [hashOfKey(TEST_API_KEY)],
    )) as [typeof key];
  });
  afterAll(() => service.stop());

  /** Records a call in the same way as text inference. Returns its public id. */
  const record = async ({ tokens, model = 'acme/text', finishReason, status = 200, facts }: TextCall) => {
    const labels = service.app.get(UsageLabels, { strict: false });
    const ledger = service.app.get(Ledger, { strict: false });
    const id = newId();
    const reservation = { id, generationId: id, accountNo: key.account_no, keyNo: key.no, at: timeOfId(id) };
    await ledger.reserve({ ...reservation, parentNo: null, accountAmount: 9n, keyAmount: 9n, parentAmount: 0n });
    const generation: GenerationRecord = {
      upstream_cost: '7',
      workspace_no: key.workspace_no,
      model: await labels.numberOf('model', model),
      provider: await labels.numberOf('provider', 'acme'),
      external_user: null,
      app: null,
      origin: await labels.numberOf('origin', 'https://origin.example'),
      finish_reason: finishReason === undefined ? null : await labels.numberOf('finishReason', finishReason),
      tokens_prompt: tokens[0],
      tokens_completion: tokens[1],
      tokens_reasoning: tokens[2],
      tokens_cached: tokens[3],
      characters: null,
      latency_ms: 40,
      duration_ms: 200,
      status,
      images: null,
      modality: MODALITY.chat,
      is_byok: false,
      streamed: true,
      ...(facts && { detail: generationDetail(facts) }),
    };
    const finish = {
      reservationId: id,
      accountNo: key.account_no,
      keyNo: key.no,
      settle: true,
      cost: 7n,
      byokCost: 0n,
    };
    await ledger.finish({ ...finish, record: generation });
    return toGenerationId(id);
  };
  const generation = async (id: string) => {
    const { status, json } = await service.standard.get(`/generation?id=${id}`);
    expect(status).toBe(200);
    return json.data;
  };

  it('has the data of the vendor and the caller, the tokens by class and every attempt', async () => {
    const id = await record({
      tokens: [100, 50, 30, 20],
      finishReason: 'length',
      facts: {
        nativeFinishReason: 'max_tokens',
        upstreamId: 'msg_1',
        requestId: 'request-1',
        sessionId: 'session-1',
        userAgent: 'agent/1',
        httpReferer: 'https://shop.example/cart',
        title: 'Shop',
        categories: 'cli-agent',
        serviceTier: 'flex',
        attempts: [
          { provider: 'north', status: 529, latencyMs: 12 },
          { provider: 'acme', status: 200, latencyMs: 40 },
        ],
        mediaInputs: 2,
        audioInputs: 1,
        completionImageTokens: 5,
        cacheDiscount: 12_345n,
      },
    });
    expect(await generation(id)).toEqual({
      id,
      total_cost: 7e-9,
      usage: 7e-9,
      upstream_inference_cost: 7e-9,
      cache_discount: 0.000012345,
      created_at: expect.stringMatching(/Z$/),
      model: 'acme/text',
      provider_name: 'acme',
      origin: 'https://origin.example',
      http_referer: 'https://shop.example/cart',
      user_agent: 'agent/1',
      request_id: 'request-1',
      session_id: 'session-1',
      upstream_id: 'msg_1',
      service_tier: 'flex',
      external_user: null,
      is_byok: false,
      streamed: true,
      cancelled: false,
      usage_estimated: false,
      api_type: 'completions',
      data_region: 'global',
      latency: 40,
      generation_time: 200,
      finish_reason: 'length',
      native_finish_reason: 'max_tokens',
      tokens_prompt: 100,
      tokens_completion: 50,
      native_tokens_prompt: 100,
      native_tokens_completion: 50,
      native_tokens_reasoning: 30,
      native_tokens_cached: 20,
      native_tokens_completion_images: 5,
      num_media_prompt: 2,
      num_input_audio_prompt: 1,
      num_media_completion: 0,
      num_search_results: null,
      num_fetches: null,
      moderation_latency: null,
      web_search_engine: null,
      app_id: null,
      preset_id: null,
      response_cache_source_id: null,
      router: null,
      provider_responses: [
        { provider_name: 'north', status: 529, latency: 12 },
        { provider_name: 'acme', status: 200, latency: 40 },
      ],
      workspace_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('marks a billed stream as cancelled, and its usage as estimated, if the caller left', async () => {
    const id = await record({ tokens: [10, 5, null, null], facts: { cancelled: true, usageEstimated: true } });
    expect(await generation(id)).toMatchObject({ cancelled: true, usage_estimated: true, usage: 7e-9 });
  });

  it('has a negative discount if caching cost more than it saved', async () => {
    const id = await record({ tokens: [10, 5, null, null], facts: { cacheDiscount: -3n } });
    expect(await generation(id)).toMatchObject({ cache_discount: -3e-9 });
  });

  it('creates no usage labels from sessions, user agents, referers, titles and categories', async () => {
    const [sessionId, userAgent, httpReferer, title, categories] = ['s-77', 'u-77', 'r-77', 't-77', 'c-77'];
    await record({ tokens: [1, 1, null, null], facts: { sessionId, userAgent, httpReferer, title, categories } });
    expect(await service.sql.query(`select value from usage_label where value like '%-77'`)).toEqual([]);
  });

  it('has null in the members for text, and no usage_estimated, if the call has no data of a text call', async () => {
    const data = await generation(await record({ tokens: [0, 0, null, null] }));
    expect(data).toMatchObject({ cache_discount: null, provider_responses: null, session_id: null, upstream_id: null });
    expect(data).not.toHaveProperty('usage_estimated');
  });

  it('is counted in analytics by token class, with reasoning tokens and the cache hit rate', async () => {
    const model = 'acme/measured';
    await record({ model, tokens: [100, 40, 30, 20], finishReason: 'stop' });
    await record({ model, tokens: [300, 60, null, 180], finishReason: 'tool_calls' });
    await record({ model, tokens: [100, 0, null, null], finishReason: 'error', status: 502 });
    const metrics = [
      'tokens_prompt',
      'tokens_completion',
      'tokens_total',
      'reasoning_tokens',
      'cached_tokens',
      'cache_hit_rate',
    ];
    const filters = [{ field: 'model', operator: 'eq', value: model }];
    const { json } = await service.management.post('/analytics/query', { json: { metrics, filters } });
    expect(json.data.data).toEqual([
      {
        tokens_prompt: 500,
        tokens_completion: 100,
        tokens_total: 600,
        reasoning_tokens: 30,
        cached_tokens: 200,
        cache_hit_rate: 0.4,
      },
    ]);
    const byReason = { metrics: ['request_count'], dimensions: ['finish_reason'], filters };
    const reasons = (await service.management.post('/analytics/query', { json: byReason })).json.data.data;
    expect(reasons.map((row: { finish_reason: string }) => row.finish_reason).toSorted()).toEqual([
      'error',
      'stop',
      'tool_calls',
    ]);
  });
});
