import { settledSpend } from '../../support/money/account-totals.js';
import type { ScriptedVendor, VendorFault } from '../../support/vendors/scripted-vendor.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';
import { startVendorStage, VENDOR_CREDENTIAL } from '../../support/vendors/vendor-stage.js';

const IMAGE = { model: 'openai/gpt-image-1', prompt: 'A lighthouse', quality: 'low', size: '1024x1024' };
const SPEECH = { model: 'openai/tts-1', input: 'Hello', voice: 'alloy' };

describe('a vendor that fails', () => {
  let vendor: ScriptedVendor;
  let service: TestService;
  beforeAll(async () => {
    ({ vendor, service } = await startVendorStage({ BREAKER_FAILURES: '1000' }));
  });
  afterAll(() => service.stop());

  const settled = (): Promise<bigint> => settledSpend(service.sql);

  describe.each([
    ['images', '/images', IMAGE],
    ['speech', '/audio/speech', SPEECH],
    ['speech by tokens', '/audio/speech', { ...SPEECH, model: 'openai/gpt-4o-mini-tts' }],
  ])('at %s returns an error and bills nothing', (name, path, request) => {
    const quoting = { error: { message: `Your key ${VENDOR_CREDENTIAL} (sk-abc***xyz) asked for a bad size` } };
    it.each<[string, VendorFault, number, RegExp]>([
      ['400', { kind: 'status', status: 400, body: quoting }, 400, /asked for a bad size/],
      ['422', { kind: 'status', status: 422, body: { detail: 'no such voice' } }, 400, /no such voice/],
      ['401', { kind: 'status', status: 401, body: quoting }, 502, /operator/],
      ['402', { kind: 'status', status: 402 }, 502, /operator/],
      ['403', { kind: 'status', status: 403 }, 502, /operator/],
      ['404', { kind: 'status', status: 404 }, 502, /operator/],
      ['409', { kind: 'status', status: 409 }, 502, /failed/],
      ['302', { kind: 'status', status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 502, /failed/],
      ['413', { kind: 'status', status: 413 }, 413, /too large/],
      ['429', { kind: 'status', status: 429, headers: { 'retry-after': '7' } }, 429, /rate/],
      ['500', { kind: 'status', status: 500 }, 502, /failed/],
      ['502', { kind: 'status', status: 502 }, 502, /failed/],
      ...[501, 505, 507, 520, 522, 599].map((code): [string, VendorFault, number, RegExp] => [
        String(code),
        { kind: 'status', status: code },
        502,
        /failed/,
      ]),
      ['504', { kind: 'status', status: 504 }, 524, /too long/],
      ['524', { kind: 'status', status: 524 }, 524, /too long/],
      ['503', { kind: 'status', status: 503 }, 529, /overloaded/],
      ['529', { kind: 'status', status: 529 }, 529, /overloaded/],
      ['a reset', { kind: 'reset' }, 502, /connection/],
      ['silence', { kind: 'silence' }, 524, /too long/],
      ['a head without a body', { kind: 'head-only' }, 524, /too long/],
      ['an empty response', { kind: 'body', body: '' }, 502, /response|audio/],
      [
        'a 200 with an error inside',
        { kind: 'body', body: '{"error":{"message":"x"}}', contentType: 'application/json' },
        502,
        /response|audio/,
      ],
    ])('if it sends %s', async (_, fault, status, message) => {
      const before = await settled();
      vendor.script(fault);
      const answer = await service.standard.post(path, { json: request });
      expect([answer.status, answer.json.error.message]).toEqual([status, expect.stringMatching(message)]);
      expect(answer.text).not.toMatch(/sk-/);
      expect(answer.headers.get('retry-after')).toBe(status === 429 ? '7' : null);
      expect(await settled()).toBe(before);
    });
    it('if it sends an endless body', async () => {
      const before = await settled();
      vendor.script({ kind: 'endless' });
      expect((await service.standard.post(path, { json: request })).status).toBe(502);
      expect(await settled()).toBe(before);
    });
    if (name === 'images') {
      it.each<[string, string]>([
        ['malformed', '{"data":[}'],
        ['truncated', '{"created":1,"data":[{"b64_json":"AAAA"}],"usage":{"input_tokens":1,"output_tokens":1}'],
        ['without images', '{"created":1,"data":[]}'],
        [
          'with an entry that contains a URL',
          '{"data":[{"url":"http://x"}],"usage":{"input_tokens":1,"output_tokens":1}}',
        ],
        ['with an empty image', '{"data":[{"b64_json":""}],"usage":{"input_tokens":1,"output_tokens":1}}'],
        ['with two documents', '{"data":[{"b64_json":"AAAA"}],"usage":{"input_tokens":1,"output_tokens":1}}{}'],
      ])('if it sends a response that is %s: 502', async (_, body) => {
        const before = await settled();
        vendor.script({ kind: 'body', body });
        expect((await service.standard.post(path, { json: request })).status).toBe(502);
        expect(await settled()).toBe(before);
      });
    }
  });
});

describe('a vendor without a credential', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { BOOTSTRAP_CREDITS_USD: '0.05' } });
  });
  afterAll(() => service.stop());

  it.each([
    ['images', '/images', IMAGE],
    ['images that the credits do not cover', '/images', { ...IMAGE, quality: 'high' }],
    ['speech', '/audio/speech', SPEECH],
    ['speech that the credits do not cover', '/audio/speech', { ...SPEECH, input: 'x'.repeat(4_000) }],
  ])('returns 404 for %s, and names what is missing', async (_, path, request) => {
    const answer = await service.standard.post(path, { json: request });
    expect([answer.status, answer.json.error.message]).toEqual([404, expect.stringContaining('OPENAI_API_KEY')]);
  });

  it('is still listed with its models', async () => {
    const listed = (await service.standard.get('/models?output_modalities=all')).json.data.map(
      (model: { id: string }) => model.id,
    );
    expect(listed).toEqual(
      expect.arrayContaining(['openai/gpt-image-1', 'openai/tts-1', 'openai/tts-1-hd', 'openai/gpt-4o-mini-tts']),
    );
  });
});
