import { once } from 'node:events';
import { connect } from 'node:net';
import { rawHttp } from '../support/raw-http.js';
import { INFERENCE_PATHS } from '../../src/http/configure-server.js';
import { startTestService, TEST_API_KEY, type TestService } from '../support/test-service.js';

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

  describe('the key is known before a byte of the body is read', () => {
    it('answers 401 to a 100 MB upload with a bad key before its body is sent', async () => {
      const answer = await rawHttp(
        service.origin,
        head('/images', HUNDRED_MEGABYTES, { Authorization: 'Bearer wrong' }),
        zeros(HUNDRED_MEGABYTES),
      );
      expect(answer.status).toBe(401);
      expect(answer.bodySentBefore).toBeLessThan(8 * 1_048_576);
      expect(answer.text.toLowerCase()).toContain('connection: close');
    });

    it('lets a caller read the answer who sends some megabytes before it looks', async () => {
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

    it('never says 100 Continue to a bad key', async () => {
      const answer = await rawHttp(
        service.origin,
        head('/images', HUNDRED_MEGABYTES, { Authorization: 'Bearer wrong', Expect: '100-continue' }),
        [],
      );
      expect(answer.status).toBe(401);
      expect(answer.text).not.toContain('100 Continue');
    });

    it('says 100 Continue to a good one when it starts to read', async () => {
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

    it('answers 413 by the declared length alone, and by counting where none is declared', async () => {
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

  describe('bad input is told apart, and never a 500', () => {
    it.each([
      ['broken JSON', '{"model":', 'application/json', 400],
      ['an array', '[1]', 'application/json', 400],
      ['a string', '"text"', 'application/json', 400],
      ['null', 'null', 'application/json', 400],
      ['an empty body', '', 'application/json', 400],
      ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'application/json', 400],
      ['a wrong content type', JSON.stringify(SPEECH), 'text/plain', 400],
      ['no content type', JSON.stringify(SPEECH), '', 400],
      ['another charset', JSON.stringify(SPEECH), 'application/json; charset=utf-16', 400],
      ['a body over the cap', ' '.repeat(1_048_577), 'application/json', 413],
      ['deeply nested JSON', '{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000), 'application/json', 400],
      [
        'a prototype',
        '{"__proto__":{"model":"builtin/flite"},"constructor":{"prototype":{}}}',
        'application/json',
        400,
      ],
    ])('%s', async (_, body, contentType, status) => {
      const answer = await service.standard.post('/audio/speech', {
        body,
        headers: contentType ? { 'content-type': contentType } : {},
      });
      expect(answer.status).toBe(status);
      expect(answer.json.error.code).toBe(status);
      expect(answer.json.error.message.length).toBeGreaterThan(10);
    });

    it('accepts a body of exactly the cap', async () => {
      const body = JSON.stringify(SPEECH);
      const answer = await service.standard.post('/audio/speech', {
        body: body + ' '.repeat(1_048_576 - body.length),
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.status).toBe(200);
    });

    it('names no piece of a broken body in the message', async () => {
      const answer = await service.standard.post('/audio/speech', {
        body: '{"key": hunter2secret}',
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.text).not.toContain('hunter2');
    });

    it.each([
      ['/nothing', 404],
      ['/keys/%zz', 400],
      ['/audio/speech', 404],
    ])('GET %s answers %i in the envelope', async (path, status) => {
      const answer = await fetch(`${service.origin}/api/v1${path}`, {
        headers: { authorization: `Bearer ${TEST_API_KEY}` },
      });
      expect(answer.status).toBe(status);
      expect(await answer.json()).toMatchObject({ error: { code: status } });
    });
  });

  describe('keys', () => {
    it.each([
      ['no header', undefined],
      ['an empty header', ''],
      ['another scheme', `Basic ${TEST_API_KEY}`],
      ['no token', 'Bearer '],
      ['two tokens', `Bearer ${TEST_API_KEY} ${TEST_API_KEY}`],
      ['an unknown key', 'Bearer sk-gh-v1-unknown'],
      ['a very long key', `Bearer ${'k'.repeat(10_000)}`],
    ])('answers 401 to %s', async (_, authorization) => {
      const answer = await fetch(`${service.origin}/api/v1/models`, {
        headers: authorization === undefined ? {} : { authorization },
      });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ error: { code: 401 } });
    });

    it('answers 401 to a disabled and to an expired key at once', async () => {
      const created = await service.management.post('/keys', {
        json: { name: 'short', expires_at: '2020-01-01T00:00:00Z' },
      });
      expect((await service.as(created.json.key).get('/models')).json.error.message).toBe('This API key has expired');
      const other = await service.management.post('/keys', { json: { name: 'off' } });
      expect((await service.as(other.json.key).get('/models')).status).toBe(200);
      await service.sql.query('update api_key set disabled = true where hash = $1', [other.json.data.hash]);
      await new Promise((next) => setTimeout(next, 200));
      expect((await service.as(other.json.key).get('/models')).json.error.message).toBe('This API key is disabled');
    });

    it('answers 401 to a management key on speech and 403 on images (wire-notes section 2)', async () => {
      expect((await service.management.post('/audio/speech', { json: SPEECH })).status).toBe(401);
      expect(
        (await service.management.post('/images', { json: { model: 'builtin/poster', prompt: 'x' } })).status,
      ).toBe(403);
    });
  });

  it.each([
    ['a request without a Host', 400, 'GET /api/v1/models HTTP/1.1\r\n\r\n'],
    ['what is no HTTP', 400, 'hello\r\n\r\n'],
    ['a length that is no number', 400, 'POST /api/v1/audio/speech HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n'],
    [
      'two lengths',
      400,
      'POST /api/v1/audio/speech HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['too many headers', 431, `GET /api/v1/models HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('answers %s with %i in the envelope, and lives on', async (_, status, request) => {
    const answer = await rawHttp(service.origin, request, []);
    expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(/^x-request-id: [0-9a-f-]{36}\r$/im)]);
    expect(JSON.parse(answer.text.slice(answer.text.indexOf('\r\n\r\n')))).toEqual({
      error: { code: status, message: expect.any(String) },
    });
    expect((await fetch(`${service.origin}/healthz`)).status).toBe(200);
  });

  it('answers a request of HTTP/1.0, which needs no Host', async () => {
    expect((await rawHttp(service.origin, 'GET /healthz HTTP/1.0\r\n\r\n', [])).status).toBe(200);
  });

  it('passes over what else a request expects', async () => {
    const answer = await rawHttp(
      service.origin,
      'POST /api/v1/audio/speech HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: x\r\nContent-Length: 2\r\n\r\n{}',
      [],
    );
    expect([answer.status, answer.text]).toEqual([401, expect.stringContaining('Missing Authentication header')]);
  });

  it('writes nothing into an answer that has begun when what follows its request is broken', async () => {
    const body = JSON.stringify({ ...SPEECH, input: 'One sentence after the other is spoken here. '.repeat(20) });
    const { hostname, port } = new URL(service.origin);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /api/v1/audio/speech HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_API_KEY}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      if (text === '') socket.write('broken\r\n\r\n');
      text += chunk;
    });
    socket.on('error', () => undefined);
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(text).not.toContain('HTTP/1.1 400');
  });

  it('knows every path of inference to which there is a short way', async () => {
    for (const path of INFERENCE_PATHS) {
      const answer = await fetch(service.origin + path, { method: 'POST' });
      expect([path, answer.status, answer.headers.get('x-request-id')]).toEqual([path, 401, expect.any(String)]);
      expect([path, (await fetch(`${service.origin}${path}/`, { method: 'POST' })).status]).toEqual([path, 401]);
    }
  });

  it('serves health, the OpenAPI document and the Swagger UI without a key', async () => {
    for (const path of ['/healthz', '/readyz', '/api/v1/openapi.json', '/docs'])
      expect([path, (await fetch(service.origin + path)).status]).toEqual([path, 200]);
  });
});
