import { settledSpend } from '../../support/money/account-totals.js';
import { PICTURES, SINGLE, VOICES, type ScriptedSdkVendors } from '../../support/vendors/scripted-sdk-vendors.js';
import { AUDIO, PIXEL, type VendorFault } from '../../support/vendors/scripted-vendor.js';
import type { TestService } from '../../support/services/test-service.js';
import { drawOn, secretOf, speakOn, startSdkVendorStage } from '../../support/vendors/sdk-vendor-stage.js';

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
  const speak = (slug: string, fields?: object) => speakOn(service, slug, fields);

  it.each(PICTURES.map((vendor) => [vendor.slug, vendor] as const))(
    'return pictures: %s',
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
    'return speech: %s',
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
  ])('such as %s receive the request for PCM as %s', async (slug, query) => {
    expect((await speak(slug, { response_format: 'pcm' })).status).toBe(200);
    expect(vendors.seenBy(slug).at(-1)!.path).toContain(query);
  });

  it.each([...PICTURES, ...VOICES].map(({ slug }) => [slug]))(
    'such as %s bill nothing for faults, which return the mapped status and no credential',
    async (slug) => {
      const call = VOICES.some((vendor) => vendor.slug === slug) ? speak : draw;
      const before = await settledSpend(service.sql);
      for (const [code, told] of [
        [400, 400],
        [401, 502],
        [402, 502],
        [403, 502],
        [404, 502],
        [413, 413],
        [422, 400],
        [429, 429],
        [500, 502],
        [503, 529],
        [504, 524],
        [524, 524],
        [529, 529],
      ] as const) {
        const message = `bad ${secretOf(slug)}`;
        const body = { error: { message }, message };
        vendors.script({ kind: 'status', status: code, body, headers: { 'retry-after': '5' } });
        const answer = await call(slug);
        expect([code, answer.status, answer.text.includes('secret-credential')]).toEqual([code, told, false]);
        if (code === 429) expect(answer.headers.get('retry-after')).toBe('5');
      }
      vendors.script({ kind: 'reset' });
      expect((await call(slug)).status).toBe(502);
      expect(await settledSpend(service.sql)).toBe(before);
    },
  );

  it.each<[string, VendorFault, number]>([
    ['malformed JSON', { kind: 'body', body: '{"data":', contentType: 'application/json' }, 502],
    ['no body', { kind: 'body', body: '', contentType: '' }, 502],
    [
      'text in place of a picture',
      { kind: 'body', body: JSON.stringify({ data: [{ b64_json: 'bm8gcGljdHVyZQ==' }] }) },
      502,
    ],
    [
      'a picture at a private address',
      { kind: 'body', body: JSON.stringify({ data: [{ url: 'http://169.254.169.254/x.png' }] }) },
      502,
    ],
    ['silence', { kind: 'silence' }, 524],
    ['an endless body', { kind: 'endless' }, 502],
  ])('bill nothing and cause an error if a response is %s', async (_, script, status) => {
    const before = await settledSpend(service.sql);
    vendors.script(script);
    expect((await draw('xai')).status).toBe(status);
    expect(await settledSpend(service.sql)).toBe(before);
  });
});
