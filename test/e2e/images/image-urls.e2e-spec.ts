import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { ImageLinks } from '../../../src/files/image-links.js';
import { TcpProxy } from '../../support/database/tcp-proxy.js';
import { keptBelow } from '../../support/files/file-uploads.js';
import { TestS3Server } from '../../support/engines/s3-server.js';
import { SetClock, startTestService, type TestService } from '../../support/services/test-service.js';
import { temporaryRoot } from '../../support/temporary-folder.js';

const POSTER = { model: 'builtin/poster', prompt: 'A red kite', size: '64x64', response_format: 'url' };
const NOW = '2026-11-22T10:00:00.000Z';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

/** Generates an image and returns its URL. */
async function linkOf(service: TestService, request: object = {}): Promise<string> {
  const response = await service.standard.post('/images/generations', { json: { ...POSTER, ...request } });
  expect([response.status, response.json.error]).toEqual([200, undefined]);
  return response.json.data[0].url as string;
}

const pathOf = (url: string): string => new URL(url).pathname.replace('/api/v1', '');

describe('response_format url', () => {
  let dataDir: string;
  let service: TestService;
  const clock = new SetClock(new Date(NOW));
  const start = (env: Record<string, string> = {}): Promise<TestService> =>
    startTestService({ env: { DATA_DIR: dataDir, ...env }, clock });
  beforeEach(async () => {
    clock.set(NOW);
    dataDir = await mkdtemp(join(temporaryRoot(), 'gatehouse-test-'));
    service = await start();
  });
  afterEach(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const links = (): ImageLinks => service.app.get(ImageLinks, { strict: false });
  const keep = async (bytes: string, mediaType: string): Promise<string> =>
    (await links().keep(
      (async function* () {
        yield await Promise.resolve(Buffer.from(bytes));
      })(),
      mediaType,
    ))!;

  it('returns a URL instead of the image; the URL has 256 random bits and needs no key', async () => {
    const { json } = await service.standard.post('/images/generations', { json: { ...POSTER, n: 2 } });
    expect(json.data.map((entry: object) => Object.keys(entry))).toEqual([
      ['url', 'media_type'],
      ['url', 'media_type'],
    ]);
    for (const { url } of json.data) {
      expect(url).toMatch(new RegExp(`^${service.origin}/api/v1/images/links/\\d{10}-[0-9a-f]{64}\\.png$`));
      const response = await fetch(url as string);
      expect(response.headers.get('content-type')).toBe('image/png');
      expect(await sharp(Buffer.from(await response.arrayBuffer())).metadata()).toMatchObject({ width: 64 });
    }
    expect(json.data[0].url).not.toBe(json.data[1].url);
  });

  it('serves the image with headers that prevent a browser from executing anything in it', async () => {
    const response = await fetch(await linkOf(service));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, max-age=3600',
    });
    expect(response.headers.has('content-disposition')).toBe(false);
  });

  it.each([
    ['image/svg+xml', 'image/svg+xml'],
    ['text/html', 'application/octet-stream'],
  ])('serves %s as an attachment', async (mediaType, served) => {
    const response = await service.as().get(`/images/links/${await keep(SVG, mediaType)}`);
    expect([response.text, response.headers.get('content-type')]).toEqual([SVG, served]);
    expect(response.headers.get('content-disposition')).toBe('attachment');
    expect(response.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
  });

  it('returns a URL that expires after exactly one hour, after which the image is removed', async () => {
    const path = pathOf(await linkOf(service));
    clock.set('2026-11-22T10:59:59.000Z');
    expect((await service.as().get(path)).status).toBe(200);
    await links().sweep();
    expect(await keptBelow(dataDir)).toHaveLength(1);

    clock.set('2026-11-22T11:00:00.000Z');
    expect((await service.as().get(path)).status).toBe(404);
    await links().sweep();
    expect(await keptBelow(dataDir)).toEqual([]);
  });

  it('returns a URL that is 404 with any change, and whose secret is in no file name', async () => {
    const url = await linkOf(service);
    const [, expiry = '', secret = ''] = /(\d{10})-([0-9a-f]{64})\.png$/.exec(url)!;
    const changed = [
      `${Number(expiry) + 60}-${secret}.png`,
      `${Number(expiry) - 60}-${secret}.png`,
      `${expiry}-${secret}.svg`,
      `${expiry}-${secret}`,
      `${expiry}-${secret.toUpperCase()}.png`,
      `${expiry}-${'0'.repeat(64)}.png`,
      `..%2f${expiry}-${secret}.png`,
    ];
    for (const name of changed) expect((await service.as().get(`/images/links/${name}`)).status).toBe(404);
    for (const path of await keptBelow(dataDir)) expect(path).not.toContain(secret);
  });

  it('creates no file of the account', async () => {
    await linkOf(service);
    expect((await service.management.get('/files')).json.data).toEqual([]);
    expect(await service.sql.query('select id from file')).toEqual([]);
  });

  it('keeps uploaded files when expired images are removed', async () => {
    await linkOf(service);
    const body = new FormData();
    body.set('file', new Blob(['text']), 'note.txt');
    await service.management.post('/files', { body });
    clock.set('2026-11-29T10:00:00.000Z');
    expect(await keptBelow(dataDir)).toHaveLength(2);
    await links().sweep();
    expect(await keptBelow(dataDir)).toHaveLength(1);
    expect((await service.management.get('/files')).json.data).toHaveLength(1);
  });

  it('serves the image after a restart', async () => {
    const path = pathOf(await linkOf(service));
    await service.stop();
    service = await start();
    expect((await service.as().get(path)).status).toBe(200);
  });

  it('limits stored bytes: further requests return 429 before they cost anything, also after a restart', async () => {
    await keep('x'.repeat(1_048_576), 'image/png');
    await service.stop();
    service = await start({ IMAGE_URL_LIMIT_BYTES: '1048577' });
    await linkOf(service);
    const refused = await service.standard.post('/images/generations', { json: POSTER });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '600']);
    expect(refused.headers.has('x-generation-id')).toBe(false);

    const inBody = await service.standard.post('/images/generations', { json: { ...POSTER, response_format: null } });
    expect(inBody.status).toBe(200);
    clock.set('2026-11-22T11:00:01.000Z');
    await links().sweep();
    expect(await linkOf(service)).toContain('/images/links/');
  });

  it('is refused for a stream, and ignored by /images', async () => {
    const streamed = await service.standard.post('/images/generations', { json: { ...POSTER, stream: true } });
    expect([streamed.status, streamed.json.error.message]).toEqual([
      400,
      'response_format must be b64_json if stream is true',
    ]);
    const own = await service.standard.post('/images', { json: POSTER });
    expect(Object.keys(own.json.data[0])).toEqual(['b64_json', 'media_type']);
  });

  it('uses PUBLIC_BASE_URL, else the host of the request', async () => {
    await service.stop();
    service = await start({ PUBLIC_BASE_URL: 'https://gate.example.com' });
    expect(await linkOf(service)).toMatch(/^https:\/\/gate\.example\.com\/api\/v1\/images\/links\//);
  });
});

describe('response_format url with a bucket', () => {
  let s3: TestS3Server;
  let one: TestService;
  let two: TestService;
  const envWith = (endpoint: string): Record<string, string> => ({
    S3_BUCKET: 'test-bucket',
    S3_ENDPOINT: endpoint,
    S3_ACCESS_KEY_ID: 'test-access',
    S3_SECRET_ACCESS_KEY: 'test-secret',
  });
  beforeAll(async () => {
    s3 = await TestS3Server.start();
    one = await startTestService({ env: envWith(s3.origin) });
    two = await startTestService({ env: envWith(s3.origin), databaseUrl: one.databaseUrl });
  });
  afterAll(async () => {
    await two.stop();
    await one.stop();
    await s3.stop();
  });

  it('serves the image on every replica', async () => {
    const path = pathOf(await linkOf(one));
    expect((await two.as().get(path)).status).toBe(200);
    expect([...s3.objects.keys()].map((key) => key.replace(/\d+-[0-9a-f]{64}$/, ''))).toEqual(['files/links/']);
  });

  it('sends the image, which is paid for, in the response if the bucket does not accept it', async () => {
    s3.failNextPuts.push(400);
    const { status, json } = await one.standard.post('/images/generations', { json: POSTER });
    expect([status, Object.keys(json.data[0])]).toEqual([200, ['b64_json', 'media_type']]);
  });

  it('returns 503 with Retry-After while the bucket cannot be listed, and works again afterwards', async () => {
    const proxy = await TcpProxy.before(s3.origin);
    await proxy.refuse();
    let printed = '';
    const three = await startTestService({
      env: envWith(proxy.through(s3.origin)),
      databaseUrl: one.databaseUrl,
      logTo: (text) => (printed += text),
    });
    const refused = await three.standard.post('/images/generations', { json: POSTER });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
    expect(refused.json.error.message).toContain('the bucket of this service cannot be written or read');
    expect(printed).not.toContain('test-secret');

    await proxy.forward();
    expect(await linkOf(three)).toContain('/images/links/');
    await three.stop();
    await proxy.stop();
  });
});
