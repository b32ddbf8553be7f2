import { rawHttp } from '../../support/hostile/raw-http.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';

const APP = 'https://app.example.com';
const SPEECH = JSON.stringify({ model: 'builtin/flite', voice: 'slt', input: 'Hello' });

const corsHeaders = (response: Response): Record<string, string> =>
  Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('access-control-')));

describe('CORS', () => {
  let service: TestService;
  const call = (path: string, init: RequestInit = {}, origin: string | null = APP): Promise<Response> =>
    fetch(`${service.origin}${path}`, {
      ...init,
      headers: { ...(origin === null ? {} : { origin }), ...(init.headers as Record<string, string>) },
    });
  const preflight = (path: string, origin = APP): Promise<Response> =>
    call(
      path,
      {
        method: 'OPTIONS',
        headers: {
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,x-stainless-lang',
        },
      },
      origin,
    );

  describe('with CORS_ORIGINS', () => {
    beforeAll(async () => {
      service = await startTestService({ env: { CORS_ORIGINS: `${APP}, https://other.example.com` } });
    });
    afterAll(() => service.stop());

    it.each(['/api/v1/audio/speech', '/api/v1/keys', '/api/v1/no/such/path'])(
      'answers a preflight request to %s without a key',
      async (path) => {
        const response = await preflight(path);
        expect([response.status, await response.text()]).toEqual([204, '']);
        expect(corsHeaders(response)).toMatchObject({
          'access-control-allow-origin': APP,
          'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
          'access-control-allow-headers': 'authorization,content-type,x-stainless-lang',
          'access-control-max-age': '7200',
        });
      },
    );

    it('sends no Access-Control-Allow-Credentials header', async () => {
      const headers = { authorization: `Bearer ${TEST_API_KEY}` };
      for (const response of [await preflight('/api/v1/models'), await call('/api/v1/models', { headers })])
        expect(response.headers.has('access-control-allow-credentials')).toBe(false);
    });

    it.each([
      ['a good response', '/api/v1/models', {}, 200],
      ['a response on the fast path', '/api/v1/audio/speech', { method: 'POST', body: SPEECH }, 200],
      ['a 400', '/api/v1/audio/speech', { method: 'POST', body: '{}' }, 400],
      ['a 404', '/api/v1/no/such/path', {}, 404],
    ])('lets an allowed origin read %s and its headers', async (_, path, init, status) => {
      const headers = { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' };
      const response = await call(path, { ...init, headers });
      await response.arrayBuffer();
      expect(response.status).toBe(status);
      expect(corsHeaders(response)).toEqual({
        'access-control-allow-origin': APP,
        'access-control-expose-headers':
          'X-Gatehouse-Adjusted,X-Gatehouse-Channel,X-Gatehouse-Estimate,X-Generation-Id,Retry-After,' +
          'X-RateLimit-Limit,X-RateLimit-Remaining,X-RateLimit-Reset,X-RateLimit-Limit-Tokens,' +
          'X-RateLimit-Remaining-Tokens,X-RateLimit-Reset-Tokens,X-Request-Id',
      });
      expect(response.headers.get('vary')).toContain('Origin');
    });

    it('lets an allowed origin read a 401', async () => {
      const response = await call('/api/v1/models', { headers: { authorization: 'Bearer wrong' } });
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([401, APP]);
    });

    it('answers a preflight request without reading its body', async () => {
      const head = [
        'OPTIONS /api/v1/models HTTP/1.1',
        'Host: x',
        `Origin: ${APP}`,
        'Access-Control-Request-Method: GET',
        'Content-Length: 1000000000',
      ];
      const response = await rawHttp(service.origin, `${head.join('\r\n')}\r\n\r\n`, [Buffer.alloc(1_000)]);
      expect(response.status).toBe(204);
      expect(response.text.toLowerCase()).toContain('connection: close');
    });

    it('allows only origins in CORS_ORIGINS', async () => {
      for (const origin of ['https://evil.example.com', `${APP}.evil.com`, 'http://app.example.com', 'null'])
        expect((await preflight('/api/v1/models', origin)).headers.has('access-control-allow-origin')).toBe(false);
    });

    it('applies only to paths below /api/v1', async () => {
      for (const path of ['/', '/healthz', '/docs', '/api/v2/models'])
        expect(corsHeaders(await call(path))).toEqual({});
    });
  });

  it('is off by default', async () => {
    service = await startTestService();
    try {
      const response = await preflight('/api/v1/models');
      expect([response.status, corsHeaders(response)]).toEqual([404, {}]);
    } finally {
      await service.stop();
    }
  });

  it('allows every origin with *', async () => {
    service = await startTestService({ env: { CORS_ORIGINS: '*' } });
    try {
      expect((await preflight('/api/v1/models')).headers.get('access-control-allow-origin')).toBe('*');
    } finally {
      await service.stop();
    }
  });

  it.each(['app.example.com', 'https://app.example.com/path', 'https://a.example.com,ftp://b.example.com', 'true'])(
    'prevents the start of the service with CORS_ORIGINS=%s',
    async (value) => {
      await expect(startTestService({ env: { CORS_ORIGINS: value } })).rejects.toThrow(
        'CORS_ORIGINS must be off, *, or origins such as https://app.example.com',
      );
    },
  );
});
