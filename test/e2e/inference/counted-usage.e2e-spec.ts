import { settledSpend } from '../../support/money/account-totals.js';
import { PIXEL, startScriptedVendor, type ScriptedVendor } from '../../support/vendors/scripted-vendor.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

/**
 * Billed: 3 prompt tokens at 5 USD and 272 tokens of a low-quality picture at 40 USD per million. Reserved: 74 prompt
 * tokens.
 */
const IMAGE = { model: 'openai/gpt-image-1', prompt: 'A red kite', quality: 'low', size: '1024x1024' };
const IMAGE_COUNTED = 3n * 5_000n + 272n * 40_000n;
const IMAGE_WORST = 74n * 5_000n + 272n * 40_000n;
const PREVIEW_TOKENS = 300n;

describe('picture tokens that a vendor does not report', () => {
  let vendor: ScriptedVendor;
  let service: TestService;
  beforeAll(async () => {
    vendor = await startScriptedVendor();
    service = await startTestService({
      env: { OPENAI_API_KEY: 'sk-vendor-0123456789', OPENAI_BASE_URL: vendor.baseUrl },
    });
  });
  afterAll(async () => {
    await service.stop();
    await vendor.close();
  });

  const billedBy = async (work: () => Promise<void>): Promise<bigint> => {
    const before = await settledSpend(service.sql);
    await work();
    return (await settledSpend(service.sql)) - before;
  };
  /** The billed nano-dollars of a call whose vendor returns these pictures and no usage. */
  const billedWithout = async (pictures: number, body: object): Promise<bigint> =>
    billedBy(async () => {
      const data = Array.from({ length: pictures }, () => `{"b64_json":"${PIXEL}"}`).join();
      vendor.script({ kind: 'body', body: `{"data":[${data}]}` });
      const answer = await service.standard.post('/images', { json: { ...IMAGE, ...body } });
      expect([answer.status, answer.json.data.length]).toEqual([200, pictures]);
    });

  it.each([
    ['are counted by the received pictures, not by the requested ones', 1, { n: 3 }, 272n],
    ['are counted by all pictures if all were received', 3, { n: 3 }, 3n * 272n],
    ['are counted by the size and the quality', 1, { size: '1024x1536', quality: 'medium' }, 1_584n],
    [
      'are counted by the most expensive size and quality if the vendor chooses them',
      1,
      { size: undefined, quality: undefined },
      6_240n,
    ],
  ])('%s', async (_, pictures, body, output) => {
    expect(await billedWithout(pictures, body)).toBe(3n * 5_000n + output * 40_000n);
  });

  it('are counted as the maximum for each reference in the request and each preview', async () => {
    const reference = { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } };
    // 1,200 tokens for the reference at 10,000 nano-dollars.
    expect(await billedWithout(1, { input_references: [reference] })).toBe(IMAGE_COUNTED + 1_200n * 10_000n);
    const events = ['partial_image', 'completed'].map(
      (type) => `data: {"type":"image_generation.${type}","b64_json":"${PIXEL}"}\n\n`,
    );
    const spent = await billedBy(async () => {
      vendor.script({ kind: 'body', body: events.join(''), contentType: 'text/event-stream' });
      await service.standard.post('/images', { json: { ...IMAGE, stream: true } });
    });
    expect(spent).toBe(IMAGE_COUNTED + PREVIEW_TOKENS * 40_000n);
  });

  it('are never billed above the worst case if the vendor reports only one of two counts', async () => {
    const spent = await billedBy(async () => {
      vendor.script({ kind: 'body', body: `{"data":[{"b64_json":"${PIXEL}"}],"usage":{"output_tokens":9000}}` });
      expect((await service.standard.post('/images', { json: IMAGE })).status).toBe(200);
    });
    expect(spent).toBe(IMAGE_COUNTED);
    const promptOnly = await billedBy(async () => {
      vendor.script({ kind: 'body', body: `{"data":[{"b64_json":"${PIXEL}"}],"usage":{"input_tokens":9000}}` });
      expect((await service.standard.post('/images', { json: IMAGE })).status).toBe(200);
    });
    expect(promptOnly).toBe(IMAGE_WORST);
  });

  it.each([
    ['equals its total', { image_tokens: 4, text_tokens: 6 }, 4n * 10_000n + 6n * 5_000n, []],
    [
      'exceeds its total by one',
      { image_tokens: 4, text_tokens: 7 },
      4n * 10_000n + 6n * 5_000n,
      ['usage_inconsistent'],
    ],
    ['has one part that exceeds its total', { image_tokens: 11 }, 10n * 10_000n, ['usage_inconsistent']],
    ['is null', { image_tokens: null, text_tokens: null }, 10n * 5_000n, []],
  ])('are not counted if the reported split of the prompt %s', async (_, details, prompt, kinds) => {
    let id: string | null = null;
    const usage = { input_tokens: 10, output_tokens: 272, input_tokens_details: details };
    const spent = await billedBy(async () => {
      vendor.script({ kind: 'body', body: JSON.stringify({ data: [{ b64_json: PIXEL }], usage }) });
      id = (await service.standard.post('/images', { json: IMAGE })).headers.get('x-generation-id');
    });
    expect(spent).toBe(prompt + 272n * 40_000n);
    const rows = await service.sql.query('select kind from billing_anomaly where generation_id = $1', [id!.slice(4)]);
    expect(rows).toEqual(kinds.map((kind) => ({ kind })));
    expect((await service.standard.get(`/generation?id=${id}`)).json.data.usage_estimated).toBe(false);
  });
});
