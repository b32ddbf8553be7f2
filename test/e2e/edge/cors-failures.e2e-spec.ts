import { rawHttp } from '../../support/hostile/raw-http.js';
import { TEST_API_KEY, type TestService } from '../../support/services/test-service.js';
import { startVendorStage } from '../../support/vendors/vendor-stage.js';

const APP = 'https://app.example.com';
const SPEECH = { model: 'openai/tts-1', voice: 'alloy', input: 'Hello' };
const CHAT = { model: 'builtin/eliza', messages: [{ role: 'user', content: 'Hello' }], stream: true };
const LONG_HEADER = `X-Long: ${'x'.repeat(20_000)}`;

describe('CORS', () => {
  let service: TestService;
  beforeAll(async () => {
    ({ service } = await startVendorStage({
      CORS_ORIGINS: APP,
      BOOTSTRAP_CREDITS_USD: '0.00005',
      RATE_LIMIT_BENCHMARKS: '1/60',
    }));
  });
  afterAll(() => service.stop());

  const call = (path: string, body?: unknown): Promise<Response> =>
    fetch(`${service.origin}/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: { origin: APP, authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
    });
  const seen = async (response: Response): Promise<unknown> => {
    await response.arrayBuffer();
    return [response.status, response.headers.get('access-control-allow-origin')];
  };

  it('lets an allowed origin read a 402', async () => {
    expect(await seen(await call('/audio/speech', { ...SPEECH, input: 'Hello '.repeat(500) }))).toEqual([402, APP]);
  });

  it('lets an allowed origin read a 403', async () => {
    expect(await seen(await call('/files'))).toEqual([403, APP]);
  });

  it.each([
    ['on the fast path', '/audio/speech'],
    ['through Express', '/interns'],
  ])('lets an allowed origin read a 413 that is sent %s', async (_, path) => {
    expect(await seen(await call(path, { input: 'x'.repeat(2_000_000) }))).toEqual([413, APP]);
  });

  it('lets an allowed origin read a 429 with Retry-After', async () => {
    await seen(await call('/benchmarks'));
    const response = await call('/benchmarks');
    expect(await seen(response)).toEqual([429, APP]);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(response.headers.get('access-control-expose-headers')).toContain('Retry-After');
  });

  it.each([
    ['chat', '/chat/completions', CHAT],
    ['speech', '/audio/speech', { model: 'builtin/flite', voice: 'slt', input: 'Hi', stream_format: 'sse' }],
  ])('lets an allowed origin read a stream of %s', async (_, path, body) => {
    const response = await call(path, body);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await seen(response)).toEqual([200, APP]);
  });

  it.each([
    ['too large headers', 431, `GET /api/v1/models HTTP/1.1\r\nHost: x\r\nOrigin: ${APP}\r\n${LONG_HEADER}\r\n\r\n`],
    ['a malformed request line', 400, 'GET\r\n\r\n'],
    [
      'a malformed body',
      400,
      `POST /api/v1/audio/speech HTTP/1.1\r\nHost: x\r\nOrigin: ${APP}\r\nAuthorization: Bearer ${TEST_API_KEY}\r\n` +
        'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    ],
  ])('lets an allowed origin read the refusal of %s', async (_, status, request) => {
    const response = await rawHttp(service.origin, request, []);
    expect([response.status, /^access-control-allow-origin: (.*)$/im.exec(response.text)?.[1]?.trim()]).toEqual([
      status,
      APP,
    ]);
  });

  it('adds no header to the refusal of a request whose path is outside the API', async () => {
    const request = 'POST /docs HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n';
    const { text } = await rawHttp(service.origin, request, []);
    expect(text).toMatch(/^HTTP\/1.1 4\d\d/);
    expect(text.toLowerCase()).not.toContain('access-control');
  });
});
