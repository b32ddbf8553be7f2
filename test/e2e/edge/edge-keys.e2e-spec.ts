import { makeKey } from '../../support/api/api-builders.js';
import { rawHttp } from '../../support/hostile/raw-http.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';

const HUNDRED_MEGABYTES = 104_857_600;
const SPEECH = { model: 'builtin/flite', voice: 'slt', input: 'Hello' };

function* zeros(total: number, piece = 65_536): Generator<Buffer> {
  for (let sent = 0; sent < total; sent += piece) yield Buffer.alloc(Math.min(piece, total - sent), 0x20);
}

describe('the edge', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  const head = (path: string, length: number, headers: Record<string, string> = {}): string =>
    [
      `POST /api/v1${path} HTTP/1.1`,
      'Host: x',
      `Content-Length: ${length}`,
      'Content-Type: application/json',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '',
      '',
    ].join('\r\n');

  describe('checks the key before it reads the body:', () => {
    it('answers 401 to an upload of 100 MB with an unknown key before the whole body is sent', async () => {
      const answer = await rawHttp(
        service.origin,
        head('/images', HUNDRED_MEGABYTES, { Authorization: 'Bearer wrong' }),
        zeros(HUNDRED_MEGABYTES),
      );
      expect(answer.status).toBe(401);
      expect(answer.bodySentBefore).toBeLessThan(8 * 1_048_576);
      expect(answer.text.toLowerCase()).toContain('connection: close');
    });

    it('delivers the 401 even to a caller that sends 4 MiB before it reads the response', async () => {
      const piece = Buffer.alloc(262_144, 0x20);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () =>
          rawHttp(
            service.origin,
            head('/images', HUNDRED_MEGABYTES, { Authorization: 'Bearer wrong' }) + piece.toString('latin1').repeat(16),
            [],
          ),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    });

    it('sends no 100 Continue to a request with an unknown key', async () => {
      const answer = await rawHttp(
        service.origin,
        head('/images', HUNDRED_MEGABYTES, { Authorization: 'Bearer wrong', Expect: '100-continue' }),
        [],
      );
      expect(answer.status).toBe(401);
      expect(answer.text).not.toContain('100 Continue');
    });

    it('sends 100 Continue to a request with a valid key', async () => {
      const body = JSON.stringify(SPEECH);
      const answer = await rawHttp(
        service.origin,
        head('/audio/speech', body.length, {
          Authorization: `Bearer ${TEST_API_KEY}`,
          Expect: '100-continue',
          Connection: 'close',
        }),
        [Buffer.from(body)],
      );
      expect(answer.text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
    });

    it('answers 413 to a body whose declared or counted length is too large', async () => {
      const auth = { Authorization: `Bearer ${TEST_API_KEY}` };
      const declared = await rawHttp(service.origin, head('/images', HUNDRED_MEGABYTES, auth), []);
      expect(declared.status).toBe(413);
      const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000, 0x20), Buffer.from('\r\n')]);
      const counted = await rawHttp(
        service.origin,
        head('/images', 0, { ...auth, 'Transfer-Encoding': 'chunked' }).replace('Content-Length: 0\r\n', ''),
        Array.from({ length: 40 }, () => chunk),
      );
      expect(counted.status).toBe(413);
    });
  });

  describe('while it authenticates a request', () => {
    it.each([
      ['no header', undefined],
      ['an empty header', ''],
      ['another scheme', `Basic ${TEST_API_KEY}`],
      ['no token', 'Bearer '],
      ['two tokens', `Bearer ${TEST_API_KEY} ${TEST_API_KEY}`],
      ['an unknown key', 'Bearer sk-gh-v1-unknown'],
      ['a very long key', `Bearer ${'k'.repeat(10_000)}`],
    ])('answers 401 to a request with %s', async (_, authorization) => {
      const answer = await fetch(`${service.origin}/api/v1/models`, {
        headers: authorization === undefined ? {} : { authorization },
      });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ error: { code: 401 } });
    });

    it('answers a malformed Authorization header with a 401 that quotes the expected header', async () => {
      const answer = await fetch(`${service.origin}/api/v1/models`, { headers: { authorization: 'Basic abc' } });
      const message = 'Malformed Authorization header: send "Authorization: Bearer <API_KEY>"';
      expect([answer.status, await answer.json()]).toEqual([401, { error: { code: 401, message } }]);
    });

    it('answers 401 to an expired key, and to a key that was disabled 200 ms ago', async () => {
      const created = await makeKey(service.management, { name: 'short', expires_at: '2020-01-01T00:00:00Z' });
      expect((await service.as(created.key).get('/models')).json.error.message).toBe('This API key has expired');
      const other = await makeKey(service.management, { name: 'off' });
      expect((await service.as(other.key).get('/models')).status).toBe(200);
      await service.sql.query('update api_key set disabled = true where hash = $1', [other.hash]);
      await new Promise((next) => setTimeout(next, 200));
      expect((await service.as(other.key).get('/models')).json.error.message).toBe('This API key is disabled');
    });

    it('answers 401 to a management key on speech and 403 on images (docs/api-rules.md, section 2)', async () => {
      expect((await service.management.post('/audio/speech', { json: SPEECH })).status).toBe(401);
      expect(
        (await service.management.post('/images', { json: { model: 'builtin/poster', prompt: 'x' } })).status,
      ).toBe(403);
    });
  });
});
