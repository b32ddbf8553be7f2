import { accountTotals, settledSpend } from '../../support/money/account-totals.js';
import { makeKey } from '../../support/api/api-builders.js';
import { aModel, anEndpoint } from '../../support/catalogue/catalogue-builder.js';
import { eventually } from '../../support/eventually.js';
import {
  BUILT_IN_MODEL,
  GOOGLE_MODEL,
  OPENAI_MODEL,
  PICTURE_MODEL,
  startEmbeddingsStage,
  type EmbeddingsStage,
} from '../../support/calls/embeddings-stage.js';
import { teachModels } from '../../support/catalogue/test-catalogue.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';

const HELLO = 'Hello world';
/** 64 tokens for the frame, 8 for each input, and its bytes or ids, at 20 nano-dollars each. */
const worstOf = (bytes: number, inputs = 1): bigint => BigInt(bytes + 64 + 8 * inputs) * 20n;
const vectorsWith = (usage: unknown): object => ({ id: 'embd-1', data: [{ embedding: [1] }], usage });
const usd = (nano: bigint): number => Number(nano) / 1e9;

describe('the bill of embeddings', () => {
  let stage: EmbeddingsStage;
  beforeAll(async () => {
    stage = await startEmbeddingsStage();
    const endpoint = (provider: string, prompt: string) =>
      anEndpoint(provider, {
        capability: 'embeddings',
        adapter: 'openai-compatible',
        tokenPrices: { prompt, completion: '0' },
      });
    teachModels(stage.service, [
      aModel('test/half-a-nano', { endpoints: [endpoint('openai', '0.0000000005')] }),
      aModel('test/two-providers', {
        endpoints: [endpoint('openai', '0.00000002'), endpoint('togetherai', '0.000000125')],
      }),
    ]);
  });
  afterAll(() => stage.stop());

  const post = (json: object, key?: string) =>
    (key === undefined ? stage.service.standard : stage.service.as(key)).post('/embeddings', { json });
  const spentBy = async (work: () => Promise<unknown>): Promise<bigint> => {
    const before = await settledSpend(stage.service.sql);
    await work();
    return (await settledSpend(stage.service.sql)) - before;
  };
  const recordOf = async (id: string) => (await stage.service.standard.get(`/generation?id=${id}`)).json.data;
  const anomaliesOf = async (id: string): Promise<unknown[]> => {
    const rows = await stage.service.sql.query<{ kind: string }>(
      'select kind from billing_anomaly where generation_id = $1',
      [id.slice(4)],
    );
    return rows.map(({ kind }) => kind);
  };

  it.each([
    ['20 nano-dollars a token', OPENAI_MODEL, 220n],
    ['125 nano-dollars a token', PICTURE_MODEL, 1_375n],
    ['half a nano-dollar a token, rounded up once', 'test/half-a-nano', 6n],
  ])('is 11 tokens at %s', async (_, model, nano) => {
    const spent = await spentBy(async () => {
      const { json } = await post({ model, input: HELLO });
      expect(json.usage).toEqual({
        prompt_tokens: 11,
        total_tokens: 11,
        cost: usd(nano),
        is_byok: false,
        cost_details: {
          upstream_inference_cost: null,
          upstream_inference_prompt_cost: usd(nano),
          upstream_inference_completions_cost: 0,
        },
      });
    });
    expect(spent).toBe(nano);
  });

  it('is zero for the built-in model, whose tokens are counted', async () => {
    const spent = await spentBy(async () => {
      const { json } = await post({ model: BUILT_IN_MODEL, input: [HELLO, HELLO] });
      expect(json.usage).toMatchObject({ cost: 0, is_byok: false });
      expect(json.usage.prompt_tokens).toBeGreaterThan(0);
      expect(await recordOf(json.id)).toMatchObject({ tokens_prompt: json.usage.prompt_tokens, total_cost: 0 });
    });
    expect(spent).toBe(0n);
  });

  it('is recorded with the call', async () => {
    stage.vendor.script({ body: vectorsWith({ prompt_tokens: 5, total_tokens: 5 }) });
    const { json } = await stage.service.standard.post('/embeddings', {
      json: { model: OPENAI_MODEL, input: HELLO, user: 'end-user-7', session_id: 'session-1' },
      headers: { 'user-agent': 'agent/1', 'http-referer': 'https://shop.example/cart', 'x-title': 'Shop' },
    });
    expect(await recordOf(json.id)).toMatchObject({
      id: json.id,
      api_type: 'embeddings',
      model: OPENAI_MODEL,
      provider_name: 'OpenAI',
      total_cost: 1e-7,
      usage: 1e-7,
      tokens_prompt: 5,
      tokens_completion: 0,
      native_tokens_prompt: 5,
      finish_reason: null,
      upstream_id: 'embd-1',
      external_user: 'end-user-7',
      session_id: 'session-1',
      user_agent: 'agent/1',
      http_referer: 'https://shop.example/cart',
      streamed: false,
      cancelled: false,
      usage_estimated: false,
      num_media_prompt: null,
      request_id: expect.any(String),
      provider_responses: [{ provider_name: 'OpenAI', status: 200, latency: expect.any(Number) }],
    });
    expect(await anomaliesOf(json.id)).toEqual([]);
  });

  it.each([
    ['no usage', undefined, HELLO, 40n, 'usage_missing'],
    ['null', null, HELLO, 40n, 'usage_missing'],
    ['an empty object', {}, HELLO, 40n, 'usage_missing'],
    ['no usage, for token ids', undefined, [7, 8, 9], 60n, 'usage_missing'],
    ['a negative count', { prompt_tokens: -1 }, HELLO, 40n, 'usage_invalid'],
    ['a count as text', { prompt_tokens: '5' }, HELLO, 40n, 'usage_invalid'],
    ['more than twice the worst case', { prompt_tokens: 1e9 }, HELLO, 2n * worstOf(HELLO.length), 'usage_excessive'],
  ])('is estimated or capped if the vendor reports %s', async (_, usage, input, nano, anomaly) => {
    let id = '';
    const spent = await spentBy(async () => {
      stage.vendor.script({ body: vectorsWith(usage) });
      const { status, json } = await post({ model: OPENAI_MODEL, input });
      expect([status, json.usage.cost]).toEqual([200, usd(nano)]);
      id = json.id;
    });
    expect(spent).toBe(nano);
    expect(await anomaliesOf(id)).toEqual([anomaly]);
    expect((await recordOf(id)).usage_estimated).toBe(anomaly !== 'usage_excessive');
  });

  it('is estimated if the vendor reports no usage, and zero if the vendor reports zero tokens', async () => {
    const spent = await spentBy(async () => {
      stage.answerAsGoogle([[1]], true);
      expect((await post({ model: GOOGLE_MODEL, input: HELLO })).json.usage).toMatchObject({ prompt_tokens: 2 });
      stage.vendor.script({ body: vectorsWith({ prompt_tokens: 0, total_tokens: 0 }) });
      expect((await post({ model: OPENAI_MODEL, input: HELLO })).json.usage).toMatchObject({ prompt_tokens: 0 });
    });
    expect(spent).toBe(300n);
  });

  it("is only an upstream cost for a call with the caller's own credential", async () => {
    const own = { provider: 'openai', key: 'sk-own-credential-0123456789' };
    const { id } = (await stage.service.management.post('/byok', { json: own })).json.data;
    const spent = await spentBy(async () => {
      const { json } = await post({ model: OPENAI_MODEL, input: HELLO });
      expect(json.usage).toMatchObject({ cost: 0, is_byok: true });
      expect(json.usage.cost_details).toEqual({
        upstream_inference_cost: 2.2e-7,
        upstream_inference_prompt_cost: 2.2e-7,
        upstream_inference_completions_cost: 0,
      });
      expect(stage.vendor.seen.at(-1)!.headers.authorization).toBe(`Bearer ${own.key}`);
    });
    await stage.service.management.delete(`/byok/${id}`);
    expect(spent).toBe(0n);
  });

  it('uses the price of the endpoint that served the call', async () => {
    stage.vendor.script({ status: 500 });
    const spent = await spentBy(async () => {
      const provider = { order: ['openai', 'togetherai'] };
      const { json } = await post({ model: 'test/two-providers', input: HELLO, provider });
      const { provider_responses: tried } = await recordOf(json.id);
      expect(tried.map(({ status }: { status: number }) => status)).toEqual([500, 200]);
    });
    expect(spent).toBe(1_375n);
  });

  it.each([
    ['bytes', OPENAI_MODEL, 'é'.repeat(500), worstOf(1_000)],
    ['bytes of all inputs', OPENAI_MODEL, ['a'.repeat(10), 'b'.repeat(20), 'c'], worstOf(31, 3)],
    ['token ids', OPENAI_MODEL, Array(100).fill(7), worstOf(100)],
    ['lists of token ids', OPENAI_MODEL, [[1, 2], [3]], worstOf(3, 2)],
    [
      'the whole context of each input if it has pictures',
      PICTURE_MODEL,
      ['1', '2'].map((name) => ({
        content: [{ type: 'image_url', image_url: { url: `https://pictures.example/${name}.png` } }],
      })),
      2n * 512n * 125n,
    ],
  ])('is reserved by %s; a limit of one nano-dollar less results in 402', async (_, model, input, worst) => {
    const enough = await makeKey(stage.service.management, { limit: usd(worst) });
    expect((await post({ model, input }, enough.key)).status).toBe(200);
    const short = await makeKey(stage.service.management, { limit: usd(worst - 1n) });
    const calls = stage.vendor.seen.length;
    const { status, json } = await post({ model, input }, short.key);
    expect(status).toBe(402);
    expect(json.error.metadata).toEqual({ error_type: 'payment_required', limit_source: 'key_limit' });
    expect(json.error.message).toContain(`It can cost up to $0.0`);
    expect(stage.vendor.seen).toHaveLength(calls);
  });

  it('is zero for a caller who leaves before the vendor has responded', async () => {
    stage.vendor.script({ body: '{}', stallAfter: 0 });
    const leaving = new AbortController();
    const calls = stage.vendor.seen.length;
    const spent = await spentBy(async () => {
      const call = fetch(`${stage.service.origin}/api/v1/embeddings`, {
        method: 'POST',
        signal: leaving.signal,
        headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: OPENAI_MODEL, input: HELLO }),
      }).catch(() => undefined);
      await eventually(async () => expect(stage.vendor.seen).toHaveLength(calls + 1));
      expect((await accountTotals(stage.service.sql)).reserved).toBe(worstOf(HELLO.length));
      leaving.abort();
      await call;
    });
    expect(spent).toBe(0n);
    await eventually(async () => expect(stage.vendor.seen.at(-1)!.aborted).toBe(true));
  });
});
