import { randomUUID } from 'node:crypto';
import type { ScriptedVendor } from '../../support/vendors/scripted-vendor.js';
import { TEST_API_KEY, type TestService } from '../../support/services/test-service.js';
import { startLoggedService, type Line, type LoggedService } from '../../support/services/logged-service.js';
const SPEECH = { model: 'openai/tts-1', input: 'Hello', voice: 'alloy' };
const IMAGE = { model: 'openai/gpt-image-1', prompt: 'A lighthouse', quality: 'low', size: '1024x1024' };

describe('the log', () => {
  let vendor: ScriptedVendor;
  let service: TestService;
  let log: LoggedService['log'];
  let linesOf: LoggedService['linesOf'];
  let call: LoggedService['call'];
  beforeAll(async () => {
    ({ vendor, service, log, linesOf, call } = await startLoggedService());
  });
  afterAll(async () => {
    await service.stop();
    await vendor.close();
  });
  beforeEach(() => void (log.written = []));

  describe('has a warning', () => {
    it.each<[string, Parameters<ScriptedVendor['script']>[0], Line]>([
      [
        'an error status',
        { kind: 'status', status: 503, body: { error: { message: 'Hello: you said Hello' } } },
        { kind: 'provider_overloaded', vendor_status: 503 },
      ],
      ['a refusal of our credential', { kind: 'status', status: 401 }, { kind: 'provider_failed', vendor_status: 401 }],
      ['a rate limit', { kind: 'status', status: 429 }, { kind: 'rate_limited', vendor_status: 429 }],
      [
        'a reset of the connection',
        { kind: 'reset' },
        { kind: 'provider_failed', msg: expect.stringMatching(/failed: (UND_ERR_SOCKET|ECONNRESET)$/) },
      ],
      ['an empty response', { kind: 'body', body: '' }, { kind: 'provider_failed' }],
    ])('for %s from the vendor, with the request id and the generation id', async (_, fault, members) => {
      vendor.script(fault);
      const response = await call('POST', '/api/v1/audio/speech', TEST_API_KEY, SPEECH);

      expect(response.status).toBeGreaterThanOrEqual(429);
      const [failure, access] = await linesOf(response.headers.get('x-request-id'));
      expect(failure).toMatchObject({
        level: 'warn',
        context: 'vendors',
        provider: 'openai',
        ...members,
        generation_id: access!['generation_id'],
      });
      expect(JSON.stringify(failure)).not.toContain('Hello');
    });

    it('for a vendor that breaks off in the middle of audio', async () => {
      vendor.script({ kind: 'cut', share: 0.5 });
      const id = randomUUID();
      const cut = fetch(`${service.origin}/api/v1/audio/speech`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json', 'x-request-id': id },
        body: JSON.stringify(SPEECH),
      }).then((response) => response.arrayBuffer());
      await expect(cut).rejects.toThrow();

      const found = await linesOf(id);
      expect(found).toContainEqual(
        expect.objectContaining({
          level: 'warn',
          context: 'vendors',
          provider: 'openai',
          msg: expect.stringContaining('failed in the middle of its response'),
        }),
      );
      expect(found).toContainEqual(
        expect.objectContaining({ level: 'warn', context: 'http', msg: 'The response was cut before its end' }),
      );
      expect(found.at(-1)).toMatchObject({ context: 'access', status: 200, cut: true });
    });

    it('for a vendor that breaks off in the middle of a stream of images', async () => {
      vendor.script({ kind: 'cut', share: 0.5 });
      const response = await call('POST', '/api/v1/images', TEST_API_KEY, { ...IMAGE, stream: true });

      const found = await linesOf(response.headers.get('x-request-id'));
      expect(found[0]).toMatchObject({ level: 'warn', context: 'vendors', provider: 'openai' });
      expect(found.at(-1)).toMatchObject({ context: 'access', status: 200 });
    });

    it('but not for a request that the vendor refuses with 400', async () => {
      vendor.script({ kind: 'status', status: 400, body: { error: { message: 'no such voice' } } });
      const response = await call('POST', '/api/v1/audio/speech', TEST_API_KEY, SPEECH);

      expect(response.status).toBe(400);
      expect((await linesOf(response.headers.get('x-request-id'))).map(({ level }) => level)).toEqual(['info']);
    });
  });
});
