import { once } from 'node:events';
import { connect } from 'node:net';
import { rawHttp } from '../../support/hostile/raw-http.js';
import type { EdgeAdapter } from '../../../src/http/edge/edge-adapter.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';
const INFERENCE_PATHS = [
  'audio/speech',
  'audio/transcriptions',
  'chat/completions',
  'completions',
  'embeddings',
  'images',
  'images/edits',
  'images/generations',
  'messages',
  'rerank',
  'responses',
  'responses/compact',
].map((path) => `/api/v1/${path}`);
const SPEECH = { model: 'builtin/flite', voice: 'slt', input: 'Hello' };

const webSocketRequest = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

describe('the edge', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  describe('for unusual input', () => {
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
    ])('refuses %s with 400 or 413 and a message', async (_, body, contentType, status) => {
      const answer = await service.standard.post('/audio/speech', {
        body,
        headers: contentType ? { 'content-type': contentType } : {},
      });
      expect(answer.status).toBe(status);
      expect(answer.json.error.code).toBe(status);
      expect(answer.json.error.message.length).toBeGreaterThan(10);
    });

    it('accepts a body of exactly the maximum size', async () => {
      const body = JSON.stringify(SPEECH);
      const answer = await service.standard.post('/audio/speech', {
        body: body + ' '.repeat(1_048_576 - body.length),
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.status).toBe(200);
    });

    it('does not quote a malformed body in the error message', async () => {
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
    ])('answers GET %s with %i in the envelope', async (path, status) => {
      const answer = await fetch(`${service.origin}/api/v1${path}`, {
        headers: { authorization: `Bearer ${TEST_API_KEY}` },
      });
      expect(answer.status).toBe(status);
      expect(await answer.json()).toMatchObject({ error: { code: status } });
    });
  });

  it.each([
    ['a request without a Host', 400, 'GET /api/v1/models HTTP/1.1\r\n\r\n'],
    ['two Hosts', 400, 'GET /healthz HTTP/1.1\r\nHost: x\r\nhOST: y\r\n\r\n'],
    ['the same Host twice', 400, 'GET /healthz HTTP/1.1\r\nHost: x\r\nAccept: */*\r\nHost: x\r\n\r\n'],
    ['two Hosts in HTTP/1.0', 400, 'GET /healthz HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n'],
    ['bytes that are not HTTP', 400, 'hello\r\n\r\n'],
    ['a length that is no number', 400, 'POST /api/v1/audio/speech HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n'],
    [
      'two lengths',
      400,
      'POST /api/v1/audio/speech HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n' +
        '0\r\n\r\n',
    ],
    ['a WebSocket', 426, webSocketRequest('/api/v1/responses')],
    ['a WebSocket at a path that nothing serves', 426, webSocketRequest('/nothing')],
    ['too many headers', 431, `GET /api/v1/models HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('answers %s with %i in the envelope, and keeps running', async (_, status, request) => {
    const answer = await rawHttp(service.origin, request, []);
    expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(/^x-request-id: [0-9a-f-]{36}\r$/im)]);
    expect(JSON.parse(answer.text.slice(answer.text.indexOf('\r\n\r\n')))).toEqual({
      error: { code: status, message: expect.any(String) },
    });
    expect((await fetch(`${service.origin}/healthz`)).status).toBe(200);
  });

  it('answers a request of HTTP/1.0 without a Host header', async () => {
    expect((await rawHttp(service.origin, 'GET /healthz HTTP/1.0\r\n\r\n', [])).status).toBe(200);
  });

  it.each([
    ['GET http://x/healthz', 200, /"ok"/],
    ['GET HTTP://x//console/', 404, /^content-security-policy: /im],
    ['GET http://x/v1/models', 401, /"code":401/],
    ['POST http://x/api/v1/audio/speech', 401, /"code":401/],
    ['GET http://', 200, /^content-type: application\/json/im],
    ['POST http://', 404, /"code":404/],
    ['POST http://x?a=1', 404, /"code":404/],
    ['POST other://', 404, /"code":404/],
    ['GET *', 404, /"code":404/],
  ])('routes an unusual request target by its path: %s', async (target, status, holds) => {
    const request = `${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
    const answer = await rawHttp(service.origin, request, []);
    expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(holds)]);
  });

  it('ignores a request to upgrade to h2c', async () => {
    const offer = 'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__';
    const answer = await rawHttp(service.origin, `GET /healthz HTTP/1.1\r\nHost: x\r\n${offer}\r\n\r\n`, []);
    expect(answer.status).toBe(200);
  });

  it('ignores unknown values of the header Expect', async () => {
    const answer = await rawHttp(
      service.origin,
      'POST /api/v1/audio/speech HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: x\r\nContent-Length: 2\r\n\r\n{}',
      [],
    );
    expect([answer.status, answer.text]).toEqual([401, expect.stringContaining('Missing Authentication header')]);
  });

  it('writes no error into a started response if invalid bytes follow the request', async () => {
    const body = JSON.stringify({ ...SPEECH, input: 'One sentence after the other is spoken here. '.repeat(20) });
    const { hostname, port } = new URL(service.origin);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /api/v1/audio/speech HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_API_KEY}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
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

  it('has a fast path for every path of inference', async () => {
    const edge = service.app.getHttpAdapter() as unknown as EdgeAdapter;
    expect(edge.fastPaths.toSorted()).toEqual(INFERENCE_PATHS);
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
