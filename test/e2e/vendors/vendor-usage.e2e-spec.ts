import { accountTotals, settledSpend } from '../../support/money/account-totals.js';
import { AUDIO, PIXEL, startScriptedVendor, type ScriptedVendor } from '../../support/vendors/scripted-vendor.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const IMAGE = { model: 'openai/gpt-image-1', prompt: 'A red kite', quality: 'low', size: '1024x1024' };
const SPEECH = { model: 'openai/gpt-4o-mini-tts', input: 'Hello', voice: 'alloy', response_format: 'mp3' };
const PREVIEW_TOKENS = 300n;
/** 10 bytes of the prompt and 64 of its frame at 5 USD, and 272 tokens of a picture at 40 USD per million. */
const IMAGE_WORST = 74n * 5_000n + 272n * 40_000n;

/** 3 prompt tokens, and the tokens of the picture. */
const IMAGE_COUNTED = 3n * 5_000n + 272n * 40_000n;

/** The usage for which the call is billed. Counted usage includes the prompt tokens. */
type Billed = 'what can be counted' | 'its one count and what can be counted' | 'twice the worst case';
/** The usage that a vendor reports, the usage for which the call is billed, and the anomaly. */
const REPORTS: readonly (readonly [string, string | undefined, Billed, string])[] = [
  ['nothing', undefined, 'what can be counted', 'usage_missing'],
  ['a string', '"many"', 'what can be counted', 'usage_missing'],
  ['null', 'null', 'what can be counted', 'usage_missing'],
  ['an empty object', '{}', 'what can be counted', 'usage_missing'],
  ['null counts', '{"input_tokens":null,"output_tokens":null}', 'what can be counted', 'usage_missing'],
  ['one count of two', '{"input_tokens":10}', 'its one count and what can be counted', 'usage_missing'],
  ['a negative count', '{"input_tokens":10,"output_tokens":-1}', 'what can be counted', 'usage_invalid'],
  ['a negative count and no other', '{"output_tokens":-1}', 'what can be counted', 'usage_invalid'],
  [
    'a large negative count',
    '{"input_tokens":-2147483648,"output_tokens":272}',
    'what can be counted',
    'usage_invalid',
  ],
  ['a fraction', '{"input_tokens":10,"output_tokens":271.5}', 'what can be counted', 'usage_invalid'],
  ['text', '{"input_tokens":"10","output_tokens":"272"}', 'what can be counted', 'usage_invalid'],
  ['true', '{"input_tokens":10,"output_tokens":true}', 'what can be counted', 'usage_invalid'],
  [
    'a split of the prompt into -4 and 9',
    '{"input_tokens":5,"output_tokens":272,"input_tokens_details":{"image_tokens":-4,"text_tokens":9}}',
    'what can be counted',
    'usage_invalid',
  ],
  [
    'a split of the prompt into 9 and -4',
    '{"input_tokens":5,"output_tokens":272,"input_tokens_details":{"image_tokens":9,"text_tokens":-4}}',
    'what can be counted',
    'usage_invalid',
  ],
  [
    'a split of the output into 276 and -4',
    '{"input_tokens":5,"output_tokens":272,"output_tokens_details":{"image_tokens":276,"text_tokens":-4}}',
    'what can be counted',
    'usage_invalid',
  ],
  [
    'the largest 32-bit integer',
    '{"input_tokens":10,"output_tokens":2147483647}',
    'twice the worst case',
    'usage_excessive',
  ],
  [
    'one more than the largest 32-bit integer',
    '{"input_tokens":10,"output_tokens":2147483648}',
    'twice the worst case',
    'usage_excessive',
  ],
  [
    'more than 53 bits',
    '{"input_tokens":10,"output_tokens":9223372036854775808}',
    'twice the worst case',
    'usage_excessive',
  ],
  ['more than a double holds', '{"input_tokens":10,"output_tokens":1e999}', 'twice the worst case', 'usage_excessive'],
];

describe('usage that a vendor reports', () => {
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

  const settled = (): Promise<bigint> => settledSpend(service.sql);
  const billedBy = async (work: () => Promise<void>): Promise<bigint> => {
    const before = await settled();
    await work();
    return (await settled()) - before;
  };
  const anomalies = async (generationId: string | null): Promise<unknown[]> =>
    service.sql.query(
      'select kind, request_id is not null as has_request from billing_anomaly where generation_id = $1',
      [generationId!.slice(4)],
    );
  const isEstimated = async (id: string | null): Promise<unknown> =>
    (await service.standard.get(`/generation?id=${id}`)).json.data.usage_estimated;
  const usageMember = (report: string | undefined): string => (report === undefined ? '' : `,"usage":${report}`);
  /** The worst case of the speech above, as the ledger reserves it. */
  const speechWorst = async (): Promise<bigint> => {
    let reserved = 0n;
    vendor.script({ kind: 'silence' });
    const left = new AbortController();
    const call = fetch(`${service.origin}/api/v1/audio/speech`, {
      method: 'POST',
      signal: left.signal,
      headers: { authorization: 'Bearer test-standard-key-0123456789abcdef012345', 'content-type': 'application/json' },
      body: JSON.stringify(SPEECH),
    }).catch(() => undefined);
    while (reserved === 0n) reserved = (await accountTotals(service.sql)).reserved;
    left.abort();
    await call;
    await settled();
    return reserved;
  };

  describe.each(REPORTS)('as %s', (_, report, billed, kind) => {
    const isCounted = billed !== 'twice the worst case';
    const prompt = (counted: bigint): bigint => (billed === 'what can be counted' ? counted : 10n);

    it(`bills a picture by ${billed}, and records an anomaly`, async () => {
      const price = isCounted ? prompt(3n) * 5_000n + 272n * 40_000n : 2n * IMAGE_WORST;
      let id: string | null = null;
      const spent = await billedBy(async () => {
        vendor.script({ kind: 'body', body: `{"created":1,"data":[{"b64_json":"${PIXEL}"}]${usageMember(report)}}` });
        const answer = await service.standard.post('/images', { json: IMAGE });
        expect([answer.status, answer.json.usage.cost]).toEqual([200, Number(price) / 1e9]);
        id = answer.headers.get('x-generation-id');
      });
      expect(spent).toBe(price);
      expect(await anomalies(id)).toEqual([{ kind, has_request: true }]);
      expect(await isEstimated(id)).toBe(isCounted);
    });

    it(`bills a streamed picture by ${billed}`, async () => {
      const data = `{"type":"image_generation.completed","b64_json":"${PIXEL}"${usageMember(report)}}`;
      const spent = await billedBy(async () => {
        vendor.script({ kind: 'body', body: `data: ${data}\n\n`, contentType: 'text/event-stream' });
        const answer = await service.standard.post('/images', { json: { ...IMAGE, stream: true } });
        expect(answer.text).toContain('image_generation.completed');
        expect(answer.text).toContain('data: [DONE]');
      });
      // The worst case of a stream includes previews. This stream contains none.
      const worst = IMAGE_WORST + PREVIEW_TOKENS * 40_000n;
      expect(spent).toBe(isCounted ? prompt(3n) * 5_000n + 272n * 40_000n : 2n * worst);
    });

    it(`bills speech by ${billed}, and the speech is complete`, async () => {
      const worst = await speechWorst();
      let id: string | null = null;
      const spent = await billedBy(async () => {
        const events = [
          `{"type":"speech.audio.delta","audio":"${AUDIO.toString('base64')}"}`,
          `{"type":"speech.audio.done"${usageMember(report)}}`,
        ];
        vendor.script({
          kind: 'body',
          body: events.map((event) => `data: ${event}\n\n`).join(''),
          contentType: 'text/event-stream',
        });
        const answer = await service.standard.post('/audio/speech', { json: SPEECH });
        expect([answer.status, Buffer.from(answer.bytes).equals(AUDIO)]).toEqual([200, true]);
        id = answer.headers.get('x-generation-id');
      });
      // 5 bytes of text and 64 of its frame are reserved at 600 nano-dollars. The tokens of audio cannot be counted.
      expect(spent).toBe(isCounted ? worst - (69n - prompt(1n)) * 600n : 2n * worst);
      expect(await anomalies(id)).toEqual([{ kind, has_request: true }]);
      expect(await isEstimated(id)).toBe(isCounted);
      const record = (await service.standard.get(`/generation?id=${id}`)).json.data;
      expect(
        [record.tokens_prompt, record.tokens_completion].every((count) => Number.isSafeInteger(count) && count >= 0),
      ).toBe(true);
    });
  });

  it.each([
    ['exactly twice the worst case', 2n, 0, 0],
    ['one token more than twice the worst case', 2n, 1, 1],
  ])('of %s is billed at most at twice the worst case', async (_, factor, more, recorded) => {
    // The excess is in output tokens. 2 × 74 prompt tokens at 5,000 nano-dollars equal 18.5 output tokens, so the
    // prompt is not changed.
    const output = 2 * 272 + more;
    let id: string | null = null;
    const spent = await billedBy(async () => {
      vendor.script({
        kind: 'body',
        body: `{"data":[{"b64_json":"${PIXEL}"}],"usage":{"input_tokens":148,"output_tokens":${output}}}`,
      });
      id = (await service.standard.post('/images', { json: IMAGE })).headers.get('x-generation-id');
    });
    expect(spent).toBe(factor * IMAGE_WORST);
    expect(await anomalies(id)).toHaveLength(recorded);
  });

  it('never bills a larger count less than a smaller one', async () => {
    let last = 0n;
    for (const output of [0, 1, 272, 400, 544, 545, 1_000, 2_147_483_647, 2_147_483_648, 1e15, 1e20]) {
      const spent = await billedBy(async () => {
        vendor.script({
          kind: 'body',
          body: `{"data":[{"b64_json":"${PIXEL}"}],"usage":{"input_tokens":10,"output_tokens":${output}}}`,
        });
        expect((await service.standard.post('/images', { json: IMAGE })).status).toBe(200);
      });
      expect(spent).toBeGreaterThanOrEqual(last);
      last = spent;
    }
  });

  it("is also checked for a call with the caller's own credential", async () => {
    const { id } = (await service.management.post('/byok', { json: { provider: 'openai', key: 'sk-own-0123456789' } }))
      .json.data;
    const key = await service.sql.query<{ byok_usage: bigint }>(
      'select sum(byok_usage)::bigint as byok_usage from key_balance',
    );
    vendor.script({
      kind: 'body',
      body: `{"data":[{"b64_json":"${PIXEL}"}],"usage":{"input_tokens":10,"output_tokens":-5}}`,
    });
    const answer = await service.standard.post('/images', { json: IMAGE });
    expect(answer.json.usage).toMatchObject({
      is_byok: true,
      cost: 0,
      cost_details: { upstream_inference_cost: Number(IMAGE_COUNTED) / 1e9 },
    });
    await settled();
    const after = await service.sql.query<{ byok_usage: bigint }>(
      'select sum(byok_usage)::bigint as byok_usage from key_balance',
    );
    expect(after[0]!.byok_usage - key[0]!.byok_usage).toBe(IMAGE_COUNTED);
    await service.management.delete(`/byok/${id}`);
  });

  it('is not billed if the response contains no picture: 502', async () => {
    const spent = await billedBy(async () => {
      vendor.script({ kind: 'body', body: '{"data":[],"usage":{"input_tokens":10,"output_tokens":-5}}' });
      expect((await service.standard.post('/images', { json: IMAGE })).status).toBe(502);
    });
    expect(spent).toBe(0n);
  });
});
