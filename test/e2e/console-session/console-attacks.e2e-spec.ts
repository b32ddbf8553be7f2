import { ConsoleBrowser, newCode, signedIn, type ConsoleAnswer } from '../../support/console/console-browser.js';
import { rawHttp } from '../../support/hostile/raw-http.js';
import {
  startTestService,
  TEST_API_KEY,
  TEST_MANAGEMENT_KEY,
  type TestService,
} from '../../support/services/test-service.js';

const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
const EVIL = 'https://evil.example';

describe('attacks on a console session:', () => {
  let service: TestService;
  let overTls: TestService;

  beforeAll(async () => {
    service = await startTestService({
      env: { RATE_LIMIT_SIGN_IN: 'off', CORS_ORIGINS: EVIL, TRUST_PROXY: 'off', INTERN_RUNTIME: 'none' },
    });
    overTls = await startTestService({
      databaseUrl: service.databaseUrl,
      env: { RATE_LIMIT_SIGN_IN: 'off', TRUST_PROXY: 'loopback', PUBLIC_BASE_URL: 'https://gateway.example/' },
    });
  }, 60_000);
  afterAll(async () => {
    await overTls.stop();
    await service.stop();
  });

  /** Sends a request head unchanged, because client libraries would correct it. */
  const raw = (line: string, ...headers: string[]): ReturnType<typeof rawHttp> =>
    rawHttp(service.origin, [line, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n'), []);

  describe('a request', () => {
    const CROSS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      ['of another site', { 'sec-fetch-site': 'cross-site' }],
      ['of a sibling of the domain', { 'sec-fetch-site': 'same-site' }],
      ['typed in by the user', { 'sec-fetch-site': 'none' }],
      ['that names two sites', { 'sec-fetch-site': 'same-origin, cross-site' }],
      ['of another origin', { origin: EVIL }],
      ['of a sandboxed page', { origin: 'null' }],
      ['without an origin', {}],
    ];

    it.each(CROSS)('%s changes nothing', async (_name, headers) => {
      const browser = await signedIn(service);
      const forged = new ConsoleBrowser(service.origin, headers);
      forged.cookie = browser.cookie;
      const name = `forged ${_name}`;
      expect((await forged.post('/keys', { name })).status).toBe(403);
      expect((await forged.send('PUT', '/console/session', { json: { limit: null } })).status).toBe(403);
      expect((await forged.send('DELETE', '/console/session')).status).toBe(403);
      expect((await forged.get('/credits')).status).toBe(200);
      const { data } = (await service.management.get('/keys')).json as { data: { name: string }[] };
      expect(data.filter((key) => key.name === name)).toEqual([]);
      expect((await browser.send('GET', '/console/session')).json.data.limit).toBe(5);
    });

    it.each(CROSS)('%s signs nobody in', async (_name, headers) => {
      const forged = new ConsoleBrowser(service.origin, headers);
      const code = await newCode(service);
      const answers = [await forged.signIn({ code }), await forged.signIn({ key: TEST_MANAGEMENT_KEY })];
      expect(answers.map(({ status }) => status)).toEqual([403, 403]);
      expect(forged.cookie).toBeUndefined();
      expect((await new ConsoleBrowser(service.origin).signIn({ code })).status).toBe(201);
    });

    it('of the own origin is accepted if the browser sends no Sec-Fetch-Site, as over plain HTTP', async () => {
      const plain = new ConsoleBrowser(service.origin, { origin: service.origin });
      expect((await plain.signIn({ code: await newCode(service) })).status).toBe(201);
      const proxied = new ConsoleBrowser(overTls.origin, { origin: 'https://gateway.example' });
      expect((await proxied.signIn({ code: await newCode(service) })).status).toBe(201);
      const other = new ConsoleBrowser(service.origin, { origin: 'https://gateway.example' });
      expect((await other.signIn({ code: await newCode(service) })).status).toBe(403);
    });

    it('of an origin in CORS_ORIGINS gets no CORS permission below /console', async () => {
      const browser = await signedIn(service);
      const read = await browser.send('GET', '/console/api/v1/credits', { headers: { origin: EVIL } });
      expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([200, null]);
      const ask = { origin: EVIL, 'access-control-request-method': 'POST' };
      const preflight = await browser.send('OPTIONS', '/console/api/v1/keys', { headers: ask });
      expect([preflight.status >= 400, preflight.headers.get('access-control-allow-origin')]).toEqual([true, null]);
      expect(read.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    });
  });

  describe('the session cookie', () => {
    it('is ignored at /api/v1', async () => {
      const browser = await signedIn(service);
      for (const path of ['/api/v1/credits', '/api/v1/key', '/api/v1/models'])
        expect((await browser.send('GET', path)).status).toBe(401);
      expect((await browser.send('POST', '/api/v1/keys', { json: { name: 'x' } })).status).toBe(401);
    });

    it('is replaced by each sign-in, which ends the former session', async () => {
      const victim = new ConsoleBrowser(service.origin);
      victim.cookie = `gatehouse_session=${'A'.repeat(43)}`;
      await victim.signIn({ code: await newCode(service) });
      expect(victim.cookie).not.toBe(`gatehouse_session=${'A'.repeat(43)}`);
      const before = new ConsoleBrowser(service.origin);
      before.cookie = victim.cookie;
      await victim.signIn({ code: await newCode(service) });
      expect([(await before.get('/key')).status, (await victim.get('/key')).status]).toEqual([401, 200]);
    });

    it('is ignored if there are two session cookies, because a sibling domain may have set one', async () => {
      const browser = await signedIn(service);
      const attacker = await signedIn(service);
      browser.cookie = `${attacker.cookie}; ${browser.cookie}`;
      expect((await browser.get('/key')).status).toBe(401);
    });

    it('is refused after the sign-out, also in a copy', async () => {
      const browser = await signedIn(service);
      const stolen = new ConsoleBrowser(overTls.origin);
      stolen.cookie = browser.cookie;
      expect((await stolen.get('/key')).status).toBe(200);
      const out = await browser.send('DELETE', '/console/session');
      expect([out.status, out.headers.get('set-cookie')]).toEqual([
        204,
        'gatehouse_session=; Path=/console; Max-Age=0; HttpOnly; SameSite=Strict',
      ]);
      const here = new ConsoleBrowser(service.origin);
      here.cookie = stolen.cookie;
      expect((await here.get('/key')).status).toBe(401);
    });

    it('is Secure if PUBLIC_BASE_URL is https; without TRUST_PROXY, X-Forwarded-Proto is ignored', async () => {
      const secure = async (at: TestService, headers: Record<string, string>): Promise<boolean> => {
        const browser = new ConsoleBrowser(at.origin);
        const json = { code: await newCode(service) };
        const answer = await browser.send('POST', '/console/session', { json, headers });
        expect(answer.status).toBe(201);
        return answer.headers.get('set-cookie')!.endsWith('; Secure');
      };
      expect(await secure(overTls, {})).toBe(true);
      expect(await secure(service, {})).toBe(false);
      // TRUST_PROXY is off, because any client can send the header.
      expect(await secure(service, { 'x-forwarded-proto': 'https' })).toBe(false);
    });
  });

  it('a key in a header is ignored below /console/api/v1', async () => {
    const nobody = new ConsoleBrowser(service.origin);
    const headers = { authorization: `Bearer ${TEST_MANAGEMENT_KEY}`, 'x-api-key': TEST_API_KEY };
    expect((await nobody.send('GET', '/console/api/v1/credits', { headers })).status).toBe(401);
    expect((await nobody.send('GET', '/console/session', { headers })).status).toBe(401);
    const standard = new ConsoleBrowser(service.origin);
    await standard.signIn({ key: TEST_API_KEY });
    // The session determines the rights. A management key in the header does not extend them.
    expect((await standard.send('GET', '/console/api/v1/credits', { headers })).status).toBe(403);
  });

  describe('a path', () => {
    it.each([
      '/console/api/v1/../../api/v1/key',
      '/console/api/v1/%2e%2e/%2e%2e/api/v1/key',
      '/console//api/v1/key',
      '//console/api/v1/key',
      '/console/%61pi/v1/key',
      '/console/api/v1',
      '/console/api/v2/key',
      '/console/session/../api/v1/key',
      '/Console/api/v1/key',
      '/CONSOLE/session',
      '/console/..%2fapi/v1/key',
      'http://x/console/api/v1/key',
    ])('written as %s reaches no operation, even with the session cookie', async (path) => {
      const { cookie } = await signedIn(service);
      const { status, text } = await raw(`GET ${path} HTTP/1.1`, `Cookie: ${cookie}`);
      expect([400, 401, 404]).toContain(status);
      expect(text).not.toContain('"data"');
    });

    it.each(['/../package.json', '/%2e%2e/package.json', '/assets/../../package.json', '/..%5cpackage.json'])(
      'written as %s reaches no file outside the folder of the pages',
      async (path) => {
        const { text } = await raw(`GET /console${path} HTTP/1.1`);
        expect(text).not.toContain('"devDependencies"');
      },
    );
  });

  it('below /console, responses forbid framing, MIME sniffing and referrers; data must not be stored', async () => {
    const browser = await signedIn(service);
    const answers: ConsoleAnswer[] = [
      await browser.get('/credits'),
      await browser.get('/nothing'),
      await browser.send('GET', '/console/session'),
      await browser.send('GET', '/console/'),
      await new ConsoleBrowser(service.origin, {}).post('/keys', {}),
    ];
    for (const { headers } of answers) {
      expect(headers.get('content-security-policy')).toBe(POLICY);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('permissions-policy')).toContain('microphone=()');
    }
    expect(answers[0]!.headers.get('cache-control')).toBe('no-store');
  });

  it.each(['//console/', '///console', '//console/nothing', '/Console/', '//CONSOLE/session', '//console/api/v1/key'])(
    'the response to %s, a path outside the console, has the security headers of the console',
    async (path) => {
      const { status, text } = await raw(`GET ${path} HTTP/1.1`);
      expect(status).toBe(404);
      expect(text.toLowerCase()).toContain(`content-security-policy: ${POLICY}`.toLowerCase());
      for (const header of ['x-frame-options: deny', 'x-content-type-options: nosniff', 'referrer-policy: no-referrer'])
        expect(text.toLowerCase()).toContain(header);
    },
  );

  it('below /console, images are sandboxed, files are downloads, and MIME sniffing is forbidden', async () => {
    const browser = await signedIn(service);
    const poster = { model: 'builtin/poster', prompt: 'A kite', size: '64x64', response_format: 'url' };
    const { url } = (await browser.post('/images/generations', poster)).json.data[0] as { url: string };
    const image = await browser.send('GET', `/console${new URL(url).pathname}`);
    expect([image.status, image.headers.get('x-content-type-options')]).toEqual([200, 'nosniff']);
    expect(image.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");

    const body = new FormData();
    body.set('file', new Blob(['<script>alert(1)</script>']), 'page.html');
    const headers = { cookie: browser.cookie!, 'sec-fetch-site': 'same-origin' };
    const path = `${service.origin}/console/api/v1/files`;
    const forged = await fetch(path, { method: 'POST', body, headers: { cookie: browser.cookie! } });
    expect(forged.status).toBe(403);
    const upload = await fetch(path, { method: 'POST', body, headers });
    const { id } = (await upload.json()) as { id: string };
    expect((await browser.get(`/files/${id}/content`)).status).toBe(400);
    // Make the file downloadable, like a file created by the service.
    await service.sql.query('update file set downloadable = true where id = $1', [id.slice('file-'.length)]);
    const file = await browser.get(`/files/${id}/content`);
    expect([file.status, file.headers.get('content-type'), file.headers.get('x-content-type-options')]).toEqual([
      200,
      'application/octet-stream',
      'nosniff',
    ]);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment/);
  });
});
