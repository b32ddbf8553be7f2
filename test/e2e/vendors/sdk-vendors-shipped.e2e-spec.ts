import { Catalogue } from '../../../src/catalogue/catalogue.js';
import type { CatalogueEndpoint } from '../../../src/catalogue/catalogue-model.js';
import { accountTotals, settledSpend } from '../../support/money/account-totals.js';
import type { ApiAnswer } from '../../support/api/api-client.js';
import type { ScriptedSdkVendors } from '../../support/vendors/scripted-sdk-vendors.js';
import { AUDIO, PIXEL } from '../../support/vendors/scripted-vendor.js';
import type { TestService } from '../../support/services/test-service.js';
import { drawOn, startSdkVendorStage } from '../../support/vendors/sdk-vendor-stage.js';

describe('vendors through their packages of the Vercel AI SDK, each in its own format', () => {
  let vendors: ScriptedSdkVendors;
  let service: TestService;
  beforeAll(async () => {
    ({ vendors, service } = await startSdkVendorStage());
  });
  beforeEach(() => vendors.clear());
  afterAll(async () => {
    await service.stop();
    await vendors.close();
  });
  const draw = (slug: string, fields?: object) => drawOn(service, slug, fields);

  describe('in the shipped catalogue', () => {
    /** The vendor's first request and the price of one call, from the page that the catalogue entry names. */
    const SHIPPED: readonly (readonly [model: string, slug: string, first: string, nano: bigint])[] = [
      ['black-forest-labs/flux-1.1-pro', 'black-forest-labs', 'POST /flux-pro-1.1', 40_000_000n],
      ['black-forest-labs/flux-1.1-pro-ultra', 'black-forest-labs', 'POST /flux-pro-1.1-ultra', 60_000_000n],
      ['black-forest-labs/flux-kontext-pro', 'black-forest-labs', 'POST /flux-kontext-pro', 40_000_000n],
      ['black-forest-labs/flux-kontext-max', 'black-forest-labs', 'POST /flux-kontext-max', 80_000_000n],
      [
        'black-forest-labs/flux-schnell',
        'replicate',
        'POST /models/black-forest-labs/flux-schnell/predictions',
        3_000_000n,
      ],
      ['black-forest-labs/flux-pro', 'replicate', 'POST /models/black-forest-labs/flux-pro/predictions', 55_000_000n],
      // 0.025 USD per megapixel; 1024 × 1024 pixels are 1.048576 megapixels.
      ['black-forest-labs/flux-dev', 'fal', 'POST /fal-ai/flux-1/dev', 26_214_400n],
      ['luma/photon', 'replicate', 'POST /models/luma/photon/predictions', 30_000_000n],
      // 4 text tokens at 0.30 and 1,290 picture tokens at 30 USD per million.
      ['google/gemini-2.5-flash-image', 'google', 'POST /models/gemini-2.5-flash-image:generateContent', 38_701_200n],
    ];

    it.each(SHIPPED)('%s is served by %s at the price of the catalogue', async (model, slug, first, nano) => {
      const before = await settledSpend(service.sql);
      const calls = vendors.seenBy(slug).length;
      const answer = await service.standard.post('/images', {
        json: { model, prompt: 'A kite', aspect_ratio: '16:9', seed: 7 },
      });
      expect([answer.status, answer.json.data]).toEqual([200, [{ b64_json: PIXEL, media_type: 'image/png' }]]);
      const asked = vendors.seenBy(slug)[calls]!;
      expect(`${asked.method} ${asked.path}`).toBe(first);
      expect((await settledSpend(service.sql)) - before).toBe(nano);
      expect(answer.json.usage.cost).toBe(Number(nano) / 1e9);
    });

    it('xai/text-to-speech returns PCM of 24 kHz from xai', async () => {
      const before = await settledSpend(service.sql);
      const answer = await service.standard.post('/audio/speech', {
        json: { model: 'xai/text-to-speech', input: 'Hello', voice: 'eve' },
      });
      expect([answer.status, Buffer.from(answer.bytes).equals(AUDIO)]).toEqual([200, true]);
      expect(vendors.seenBy('xai').at(-1)).toMatchObject({
        path: '/tts',
        json: { text: 'Hello', voice_id: 'eve', output_format: { codec: 'pcm', sample_rate: 24_000 } },
      });
      expect((await settledSpend(service.sql)) - before).toBe(21_000n);
    });

    it('a model priced by tokens reserves its maximum, and without a report its tokens are counted', async () => {
      const before = await settledSpend(service.sql);
      const ask = (): Promise<ApiAnswer> =>
        service.standard.post('/images', {
          json: {
            model: 'google/gemini-2.5-flash-image',
            prompt: 'A kite',
            input_references: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } }],
          },
        });
      let reserved = 0n;
      const [body] = [
        {
          candidates: [
            {
              content: { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data: PIXEL } }] },
              finishReason: 'STOP',
            },
          ],
        },
      ];
      vendors.script((response) => {
        void accountTotals(service.sql).then((totals) => {
          reserved = totals.reserved;
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        });
      });
      expect((await ask()).status).toBe(200);
      // 70 text tokens and 1,290 reference tokens at 0.30, and 4,096 generated tokens at 30 USD per million.
      expect(reserved).toBe(70n * 300n + 1290n * 300n + 4096n * 30_000n);
      // The text has two tokens. A picture counts as the maximum number of its tokens.
      expect((await settledSpend(service.sql)) - before).toBe(2n * 300n + 1290n * 300n + 4096n * 30_000n);
      // With a reference, the whole prompt is billed as picture tokens: 4 at 0.30.
      expect((await ask()).json.usage).toMatchObject({ prompt_tokens: 4, completion_tokens: 1290, cost: 0.0387012 });
    });

    // 70 text tokens at 0.30 and 4,096 generated tokens at 30 USD per million. An absurd usage is billed at twice this
    // amount.
    const WORST_CASE = 70n * 300n + 4096n * 30_000n;
    const COUNTED = 2n * 300n + 4096n * 30_000n;
    it.each([
      ['a negative count', { promptTokenCount: 4, candidatesTokenCount: -1290 }, COUNTED],
      ['a negative prompt', { promptTokenCount: -4, candidatesTokenCount: 1290 }, COUNTED],
      ['a fraction', { promptTokenCount: 4, candidatesTokenCount: 0.5 }, COUNTED],
      ['zero', { promptTokenCount: 0, candidatesTokenCount: 0 }, COUNTED],
      ['null', { promptTokenCount: null, candidatesTokenCount: null }, COUNTED],
      ['an absurd count', { promptTokenCount: 4, candidatesTokenCount: 2_147_483_648 }, 2n * WORST_CASE],
    ])('a model priced by tokens is billed, without a refund, if its vendor reports %s', async (_, usage, nano) => {
      const before = await settledSpend(service.sql);
      const parts = [{ inlineData: { mimeType: 'image/png', data: PIXEL } }];
      const body = { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }], usageMetadata: usage };
      vendors.script((response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
      const json = { model: 'google/gemini-2.5-flash-image', prompt: 'A kite' };
      const { status } = await service.standard.post('/images', { json });
      expect([status, (await settledSpend(service.sql)) - before]).toEqual([200, nano]);
    });

    it('every image and speech model with an endpoint through a package has a row in this test', () => {
      const isMedia = ({ adapter, capability }: CatalogueEndpoint): boolean =>
        adapter === 'ai-sdk' && (capability === 'image' || capability === 'speech');
      const shipped = service.app
        .get(Catalogue, { strict: false })
        .all()
        .filter(({ id, endpoints }) => !id.startsWith('sdk/') && endpoints.some(isMedia));
      expect(new Set(shipped.map(({ id }) => id))).toEqual(
        new Set([...SHIPPED.map(([model]) => model), 'xai/text-to-speech']),
      );
    });
  });

  it('return a 404 that names the package if this service does not support the package', async () => {
    const answer = await draw('nothing');
    expect([answer.status, answer.json.error.message]).toEqual([
      404,
      expect.stringContaining(
        'This service does not support the package "@ai-sdk/nothing" that the catalogue names for provider xai',
      ),
    ]);
  });
});
