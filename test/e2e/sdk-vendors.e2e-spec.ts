import type { ServerResponse } from 'node:http';
import { Catalogue } from '../../src/catalogue/catalogue.js';
import type { ParameterRule } from '../../src/catalogue/catalogue-model.js';
import { accountTotals, settledSpend } from '../support/account-totals.js';
import type { ApiAnswer } from '../support/api-client.js';
import { startScriptedSdkVendors, SDK_ANSWERS, type ScriptedSdkVendors } from '../support/scripted-sdk-vendors.js';
import { AUDIO, PIXEL } from '../support/scripted-vendor.js';
import { anImageEndpoint, aSpeechEndpoint, teach } from '../support/test-catalogue.js';
import { startTestService, type TestService } from '../support/test-service.js';

interface Vendor {
  readonly slug: string;
  readonly model: string;
  /** The header that carries the credential, and what stands before it there. */
  readonly credential: readonly [header: string, prefix: string];
  /** Of the first request. */
  readonly asked: object;
}

const PICTURES: readonly Vendor[] = [
  {
    slug: 'azure',
    model: 'gpt-image-1',
    credential: ['api-key', ''],
    asked: { model: 'gpt-image-1', prompt: 'A kite', n: 2 },
  },
  {
    slug: 'black-forest-labs',
    model: 'flux-pro-1.1',
    credential: ['x-key', ''],
    asked: { prompt: 'A kite', aspect_ratio: '16:9', seed: 7 },
  },
  {
    slug: 'fal',
    model: 'fal-ai/flux/schnell',
    credential: ['authorization', 'Key '],
    asked: { prompt: 'A kite', seed: 7 },
  },
  {
    slug: 'google',
    model: 'gemini-2.5-flash-image',
    credential: ['x-goog-api-key', ''],
    asked: { contents: [{ role: 'user', parts: [{ text: 'A kite' }] }] },
  },
  {
    slug: 'luma',
    model: 'photon-1',
    credential: ['authorization', 'Bearer '],
    asked: { model: 'photon-1', prompt: 'A kite', aspect_ratio: '16:9' },
  },
  {
    slug: 'replicate',
    model: 'black-forest-labs/flux-schnell',
    credential: ['authorization', 'Bearer '],
    asked: { input: { prompt: 'A kite', aspect_ratio: '16:9', seed: 7, num_outputs: 2 } },
  },
  {
    slug: 'xai',
    model: 'grok-2-image',
    credential: ['authorization', 'Bearer '],
    asked: { model: 'grok-2-image', prompt: 'A kite', n: 2 },
  },
];
/** One picture a call. */
const SINGLE = ['black-forest-labs', 'fal', 'google', 'luma'];
const SEEDLESS = ['azure', 'google', 'luma', 'xai'];

const VOICES: readonly Vendor[] = [
  { slug: 'deepgram', model: 'aura-2-thalia-en', credential: ['authorization', 'Token '], asked: { text: 'Hello' } },
  {
    slug: 'elevenlabs',
    model: 'eleven_multilingual_v2',
    credential: ['xi-api-key', ''],
    asked: { text: 'Hello', model_id: 'eleven_multilingual_v2' },
  },
  {
    slug: 'hume',
    model: '',
    credential: ['x-hume-api-key', ''],
    asked: { utterances: [expect.objectContaining({ text: 'Hello' })] },
  },
  { slug: 'lmnt', model: 'aurora', credential: ['x-api-key', ''], asked: { text: 'Hello', voice: 'alloy' } },
];

const variableOf = (slug: string): string => slug.toUpperCase().replaceAll('-', '_');
const secretOf = (slug: string): string => `secret-credential-of-${slug}`;

describe('vendors through their packages of the Vercel AI SDK, each in its own format', () => {
  let vendors: ScriptedSdkVendors;
  let service: TestService;
  beforeAll(async () => {
    vendors = await startScriptedSdkVendors();
    const env = Object.fromEntries(
      Object.keys(SDK_ANSWERS).flatMap((slug) => [
        [`${variableOf(slug)}_API_KEY`, secretOf(slug)],
        [`${variableOf(slug)}_BASE_URL`, vendors.baseUrlOf(slug)],
      ]),
    );
    service = await startTestService({ env: { ...env, UPSTREAM_TIMEOUT_MS: '2000' } });
    const facts = ({ slug, model }: Vendor): object => ({
      adapter: 'ai-sdk',
      package: `@ai-sdk/${slug}`,
      upstreamModel: model,
      supportsStreaming: false,
      allowedPassthroughParameters: ['knob', 'raw'],
    });
    const pictures = PICTURES.map((vendor) => {
      const supportedParameters: Record<string, ParameterRule> = {
        n: { type: 'range', min: 1, max: SINGLE.includes(vendor.slug) ? 1 : 4 },
        aspect_ratio: { type: 'enum', values: ['1:1', '16:9'] },
        ...(SEEDLESS.includes(vendor.slug) ? {} : { seed: { type: 'boolean' } }),
      };
      return [
        `sdk/${vendor.slug}`,
        [anImageEndpoint(vendor.slug, { ...facts(vendor), pixelBounds: undefined, supportedParameters })],
      ] as const;
    });
    const voices = VOICES.map(
      (vendor) => [`sdk/${vendor.slug}`, [aSpeechEndpoint(vendor.slug, facts(vendor))]] as const,
    );
    teach(service, {
      ...Object.fromEntries([...pictures, ...voices]),
      'sdk/nothing': [anImageEndpoint('xai', { adapter: 'ai-sdk', package: '@ai-sdk/nothing' })],
    });
  });
  beforeEach(() => vendors.clear());
  afterAll(async () => {
    await service.stop();
    await vendors.close();
  });
  const draw = (slug: string, fields: object = {}): Promise<ApiAnswer> =>
    service.standard.post('/images', { json: { model: `sdk/${slug}`, prompt: 'A kite', ...fields } });
  const speak = (slug: string, fields: object = {}): Promise<ApiAnswer> =>
    service.standard.post('/audio/speech', {
      json: { model: `sdk/${slug}`, input: 'Hello', voice: 'alloy', response_format: 'mp3', ...fields },
    });

  it.each(PICTURES.map((vendor) => [vendor.slug, vendor] as const))(
    '%s makes pictures',
    async (slug, { credential: [header, prefix], asked }) => {
      const before = await settledSpend(service.sql);
      const n = SINGLE.includes(slug) ? 1 : 2;
      const answer = await draw(slug, {
        n,
        aspect_ratio: slug === 'azure' ? undefined : '16:9',
        seed: 7,
        stream: true,
      });
      expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.stringContaining('b64_json')]);
      expect(answer.json.data).toEqual(Array.from({ length: n }, () => ({ b64_json: PIXEL, media_type: 'image/png' })));
      const [first] = vendors.seenBy(slug);
      expect([first!.headers[header], first!.json]).toEqual([prefix + secretOf(slug), expect.objectContaining(asked)]);
      expect((await settledSpend(service.sql)) - before).toBe(BigInt(n) * 10_000_000n);
    },
  );

  it.each(VOICES.map((vendor) => [vendor.slug, vendor] as const))(
    '%s speaks',
    async (slug, { credential: [header, prefix], asked }) => {
      const before = await settledSpend(service.sql);
      const answer = await speak(slug);
      expect([answer.status, Buffer.from(answer.bytes).equals(AUDIO)]).toEqual([200, true]);
      const [first] = vendors.seenBy(slug);
      expect([first!.headers[header], first!.json]).toEqual([prefix + secretOf(slug), expect.objectContaining(asked)]);
      expect((await settledSpend(service.sql)) - before).toBe(5_000n);
    },
  );

  it.each([
    ['elevenlabs', 'output_format=pcm_24000'],
    ['deepgram', 'encoding=linear16&container=none'],
  ])('%s is asked for PCM as %s', async (slug, query) => {
    expect((await speak(slug, { response_format: 'pcm' })).status).toBe(200);
    expect(vendors.seenBy(slug).at(-1)!.path).toContain(query);
  });

  it.each([...PICTURES, ...VOICES].map(({ slug }) => [slug]))(
    '%s: its faults are told by the table, without its credential, and bill nothing',
    async (slug) => {
      const call = VOICES.some((vendor) => vendor.slug === slug) ? speak : draw;
      const before = await settledSpend(service.sql);
      for (const [code, told] of [
        [400, 400],
        [401, 502],
        [429, 429],
        [500, 502],
        [503, 529],
      ] as const) {
        vendors.script((response) =>
          response
            .writeHead(code, { 'content-type': 'application/json', 'retry-after': '5' })
            .end(JSON.stringify({ error: { message: `bad ${secretOf(slug)}` }, message: `bad ${secretOf(slug)}` })),
        );
        const answer = await call(slug);
        expect([code, answer.status, answer.text.includes('secret-credential')]).toEqual([code, told, false]);
        if (code === 429) expect(answer.headers.get('retry-after')).toBe('5');
      }
      vendors.script((response) => void response.socket!.resetAndDestroy());
      expect((await call(slug)).status).toBe(502);
      expect(await settledSpend(service.sql)).toBe(before);
    },
  );

  it.each<[string, (response: ServerResponse) => void, number]>([
    [
      'malformed JSON',
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":'),
      502,
    ],
    ['no body', (response) => void response.writeHead(200).end(), 502],
    [
      'text in place of a picture',
      (response) =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ data: [{ b64_json: 'bm8gcGljdHVyZQ==' }] })),
      502,
    ],
    [
      'a picture at a private address',
      (response) =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ data: [{ url: 'http://169.254.169.254/x.png' }] })),
      502,
    ],
    ['silence', () => undefined, 524],
    [
      'an endless body',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = (): void => void (response.destroyed || response.write(Buffer.alloc(1_048_576, ' '), more));
        more();
      },
      502,
    ],
  ])('an answer of %s is no picture', async (_, script, status) => {
    const before = await settledSpend(service.sql);
    vendors.script(script);
    expect((await draw('xai')).status).toBe(status);
    expect(await settledSpend(service.sql)).toBe(before);
  });

  describe('as the catalogue ships them', () => {
    /** What the vendor is asked, and what one call costs: of the page that the entry names. */
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
      // 0.025 USD a megapixel; 1024 by 1024 are 1.048576 of them.
      ['black-forest-labs/flux-dev', 'fal', 'POST /fal-ai/flux-1/dev', 26_214_400n],
      ['luma/photon', 'replicate', 'POST /models/luma/photon/predictions', 30_000_000n],
      // 4 tokens of text at 0.30 and 1290 of picture at 30 USD a million.
      ['google/gemini-2.5-flash-image', 'google', 'POST /models/gemini-2.5-flash-image:generateContent', 38_701_200n],
    ];

    it.each(SHIPPED)('%s is made by %s', async (model, slug, first, nano) => {
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

    it('xai/text-to-speech is spoken by xai, in PCM of 24 kHz', async () => {
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

    it('one that is priced by tokens reserves the most that its entry names, and is not billed without a count', async () => {
      const before = await accountTotals(service.sql);
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
      expect((await ask()).status).toBe(502);
      // 70 tokens of text and 1290 of the reference at 0.30, 4096 made at 30 USD a million.
      expect(reserved).toBe(70n * 300n + 1290n * 300n + 4096n * 30_000n);
      expect(await accountTotals(service.sql)).toEqual(before);
      // With a reference, all of the prompt counts as picture: 4 at 0.30.
      expect((await ask()).json.usage).toMatchObject({ prompt_tokens: 4, completion_tokens: 1290, cost: 0.0387012 });
    });

    it('has a row here for each', () => {
      const shipped = service.app
        .get(Catalogue, { strict: false })
        .all()
        .filter(({ id, endpoints }) => !id.startsWith('sdk/') && endpoints.some(({ adapter }) => adapter === 'ai-sdk'));
      expect(new Set(shipped.map(({ id }) => id))).toEqual(
        new Set([...SHIPPED.map(([model]) => model), 'xai/text-to-speech']),
      );
    });
  });

  it('says in one line which package the catalogue names and this service cannot use', async () => {
    const answer = await draw('nothing');
    expect([answer.status, answer.json.error.message]).toEqual([
      502,
      'This service cannot use the package "@ai-sdk/nothing" that the catalogue names for provider xai',
    ]);
  });
});
