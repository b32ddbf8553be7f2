import {
  startTestService,
  TEST_API_KEY,
  TEST_MANAGEMENT_KEY,
  type TestService,
} from '../../support/services/test-service.js';

describe('the edge:', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  describe('unknown paths', () => {
    it.each([
      '/nothing',
      '/nothing/at/all',
      '/api',
      '/api/v2/models',
      '/apiary',
      '/docs/nothing.js',
      '/healthz/x',
      '/favicon.ico',
      '/%zz',
      '/docs/%zz',
      '/api/v1/nothing/%zz',
    ])('answer 404 in the envelope: %s', async (path) => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const answer = await fetch(service.origin + path, { method });
        expect([method, answer.status, answer.headers.get('content-type')]).toEqual([
          method,
          404,
          'application/json; charset=utf-8',
        ]);
        expect(await answer.json()).toEqual({
          error: { code: 404, message: 'No such operation. See /docs for the operations of this service.' },
        });
      }
    });

    it('answer 404, as does a known path with an unsupported method', async () => {
      const answer = await fetch(`${service.origin}/healthz`, { method: 'POST' });
      expect([answer.status, await answer.json()]).toEqual([
        404,
        { error: { code: 404, message: expect.any(String) } },
      ]);
    });

    it.each([
      '/keys/%zz',
      '/keys/%',
      '/keys/%ff',
      '/end-users/%c3%28',
      '/files/a%zzb/content',
      '/interns/%zz',
      '/models/%zz/x/endpoints',
    ])('that cannot be decoded answer 401 without a valid key and 400 with a valid key: %s', async (path) => {
      const as = async (key?: string): Promise<[number, string]> => {
        const answer = await fetch(`${service.origin}/api/v1${path}`, {
          headers: key ? { authorization: `Bearer ${key}` } : {},
        });
        const { error } = (await answer.json()) as { error: { code: number; message: string } };
        expect(error.code).toBe(answer.status);
        return [answer.status, error.message];
      };
      expect(await as()).toEqual([401, 'Missing Authentication header']);
      expect(await as('sk-gh-v1-unknown')).toEqual([401, 'Invalid API key']);
      for (const key of [TEST_API_KEY, TEST_MANAGEMENT_KEY])
        expect(await as(key)).toEqual([400, 'The path is not correctly URL-encoded']);
    });

    it('do not include the path of a tracking id with an encoded percent sign', async () => {
      const user = '100%zz 😀';
      expect((await service.management.post('/end-users', { json: { user } })).status).toBe(201);
      expect((await service.management.get(`/end-users/${encodeURIComponent(user)}`)).json.data.user).toBe(user);
    });
  });

  it('GET / returns the addresses of the documentation and of the OpenAPI document', async () => {
    const answer = await fetch(service.origin);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    const root = (await answer.json()) as Record<string, string>;
    expect(root).toEqual({ name: 'Gatehouse', documentation: '/docs', openapi: '/api/v1/openapi.json' });
    for (const path of [root['documentation'], root['openapi']])
      expect((await fetch(service.origin + path!)).status).toBe(200);
  });

  describe('the pages below /docs', () => {
    const PAGES = [
      '/docs',
      '/docs/',
      '/docs/index.html',
      '/docs/swagger-ui-init.js',
      '/docs/swagger-ui-bundle.js',
      '/docs/swagger-ui.css',
      '/docs/nothing',
    ];

    it.each(PAGES)('may not be framed, and run only scripts of this service: %s', async (path) => {
      const { headers } = await fetch(service.origin + path);
      const policy = new Map(
        headers
          .get('content-security-policy')!
          .split(';')
          .map((directive) => [directive.trim().split(' ')[0]!, directive.trim().split(' ').slice(1)]),
      );
      expect(policy.get('default-src')).toEqual(["'none'"]);
      expect(policy.get('script-src')).toEqual(["'self'"]);
      expect(policy.get('connect-src')).toEqual(["'self'"]);
      for (const directive of ['frame-ancestors', 'base-uri', 'form-action'])
        expect([directive, policy.get(directive)]).toEqual([directive, ["'none'"]]);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    });

    it('contain no inline script, and load nothing from other hosts', async () => {
      const page = await (await fetch(`${service.origin}/docs`)).text();
      const scripts = [...page.matchAll(/<script([^>]*)>([^]*?)<\/script>/g)];
      expect(scripts.length).toBeGreaterThan(2);
      for (const [, attributes, inside] of scripts)
        expect([/\ssrc=["']\.\//.test(attributes!), inside!.trim()]).toEqual([true, '']);
      expect(page).not.toMatch(/\son\w+\s*=/i);
      expect(
        [...page.matchAll(/\s(?:src|href)=["']([^"']*)/g)]
          .map(([, address]) => address)
          .filter((address) => !address!.startsWith('./')),
      ).toEqual([]);
      const init = await (await fetch(`${service.origin}/docs/swagger-ui-init.js`)).text();
      expect(init).toMatch(/"validatorUrl":\s*null/);
    });
  });
});
