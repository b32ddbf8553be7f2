import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { rawHttp } from '../../support/hostile/raw-http.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';

const INDEX = '<!doctype html><title>Gatehouse</title><script type="module" src="assets/app-1a2b.js"></script>';
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(2_000))});`;

describe('the pages of the console', () => {
  let service: TestService;
  let unbuilt: TestService;
  let folder: TemporaryFolder;

  beforeAll(async () => {
    folder = await temporaryFolder();
    await mkdir(join(folder.path, 'assets'));
    const files = { 'index.html': INDEX, 'favicon.svg': '<svg/>', 'assets/app-1a2b.js': SCRIPT };
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder.path, name), content);
    await writeFile(join(folder.path, 'assets/app-1a2b.js.br'), brotliCompressSync(SCRIPT));
    service = await startTestService({ env: { CONSOLE_DIR: folder.path } });
    unbuilt = await startTestService({
      databaseUrl: service.databaseUrl,
      env: { CONSOLE_DIR: join(folder.path, 'nothing') },
    });
  }, 60_000);
  afterAll(async () => {
    await unbuilt.stop();
    await service.stop();
    await folder.remove();
  });

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    fetch(service.origin + path, { headers, method, redirect: 'manual' });

  it('are the redirect target of / for a browser; other clients receive links in JSON', async () => {
    const browser = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([browser.status, browser.headers.get('location')]).toEqual([302, '/console/']);
    expect(browser.headers.get('vary')?.toLowerCase()).toContain('accept');
    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5', 'text/html;q=0'])
      expect(((await (await get('/', { accept })).json()) as { openapi: string }).openapi).toBe('/api/v1/openapi.json');
  });

  it('are not the redirect target of / if they are not built', async () => {
    const response = await fetch(`${unbuilt.origin}/`, { headers: { accept: 'text/html' }, redirect: 'manual' });
    expect([response.status, response.headers.get('vary')?.toLowerCase()]).toEqual([
      200,
      expect.stringContaining('accept'),
    ]);
    expect(await response.json()).toMatchObject({ openapi: '/api/v1/openapi.json' });
  });

  it('are the target of the chat links in the feed of models, if they are built', async () => {
    const query = 'use_rss=1&use_rss_chat_links=1&q=eliza';
    const feed = await (await get(`/api/v1/models?${query}`, { authorization: `Bearer ${TEST_API_KEY}` })).text();
    const link = new URL(/<link>([^<]*builtin[^<]*)<\/link>/.exec(feed)![1]!);
    const path = `${link.pathname}${link.search}`;
    const { status, headers } = await get(path);
    expect(status).toBe(302);
    const playground = new URL(headers.get('location')!, service.origin);
    expect([playground.pathname, playground.searchParams.get('models')]).toEqual([
      '/console/playground',
      '["builtin/eliza"]',
    ]);
    expect((await get('/chat')).headers.get('location')).toBe('/console/playground');
    expect([(await get('/chat/x')).status, (await get(path, {}, 'POST')).status]).toEqual([404, 404]);
    expect((await fetch(unbuilt.origin + path, { redirect: 'manual' })).status).toBe(404);
  });

  it('begin at /console/, to which /console redirects with the query unchanged', async () => {
    const { status, headers } = await get('/console?range=7d');
    expect([status, headers.get('location')]).toEqual([302, '/console/?range=7d']);
    expect((await get('/console')).headers.get('location')).toBe('/console/');
    const page = await get('/console/');
    expect([page.status, page.headers.get('content-type'), page.headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ]);
    expect(await page.text()).toBe(INDEX);
  });

  it.each(['/console/keys', '/console/models/openai/gpt-4.1', '/console/usage?by=model', '/console/index.html'])(
    'are displayed by the application, which is the response to %s',
    async (path) => {
      expect(await (await get(path)).text()).toBe(INDEX);
    },
  );

  it.each([
    '/console/assets/app-9z.js',
    '/console/assets/none',
    '/console/robots.txt',
    '/console/api/v1/none',
    '/console/api',
  ])('do not include %s, which returns 404 in JSON', async (path) => {
    const { status, headers } = await get(path);
    expect([status, headers.get('content-type')]).toEqual([404, expect.stringContaining('application/json')]);
  });

  it('have files with hashed names, which are cached as immutable', async () => {
    const { headers } = await get('/console/assets/app-1a2b.js');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect((await get('/console/favicon.svg')).headers.get('cache-control')).toBe('no-cache');
  });

  it.each([
    ['br', true],
    ['gzip, deflate, br;q=0.5', true],
    ['gzip', false],
    ['br;q=0', false],
    ['identity', false],
  ])(
    'are sent with the brotli compression of the build only if the client accepts brotli: %s',
    async (accepted, compressed) => {
      const head = `GET /console/assets/app-1a2b.js HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${accepted}\r\n`;
      const { text } = await rawHttp(service.origin, `${head}Connection: close\r\n\r\n`, []);
      const [headers = '', body = ''] = text.split('\r\n\r\n');
      expect(headers.includes('content-encoding: br')).toBe(compressed);
      expect(headers).toContain('vary: accept-encoding');
      const bytes = Buffer.from(body, 'latin1');
      expect((compressed ? brotliDecompressSync(bytes) : bytes).toString()).toBe(SCRIPT);
    },
  );

  it('are not sent again while they are unchanged', async () => {
    const etag = (await get('/console/')).headers.get('etag')!;
    const again = await get('/console/', { 'if-none-match': etag });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    expect((await get('/console/', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('answer HEAD like GET but without a body, and return 404 for POST', async () => {
    const head = await get('/console/', {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(INDEX.length),
      '',
    ]);
    expect((await get('/console/', {}, 'POST')).status).toBe(404);
  });

  it('are replaced by building instructions if they are not built, and the API still works', async () => {
    const page = await fetch(`${unbuilt.origin}/console/`);
    expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('npm run build')]);
    expect((await unbuilt.management.get('/credits')).status).toBe(200);
  });
});
