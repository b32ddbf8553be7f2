import { createServer, get, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { PreparedBody } from './prepared-body.js';

const BODY = JSON.stringify({ data: Array.from({ length: 500 }, (_, at) => `model ${at}`) });

interface Received {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

describe('a prepared response', () => {
  const prepared = PreparedBody.json(BODY);
  let small = false;
  let server: Server;
  beforeAll(async () => {
    server = createServer(
      (request, response) => void (small ? PreparedBody.json('{}') : prepared).send(request, response),
    ).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
  });
  afterAll(() => server.close());
  beforeEach(() => {
    small = false;
  });

  /** Uses node:http, because fetch decompresses and adds its own headers. */
  const ask = (headers: Record<string, string>): Promise<Received> =>
    new Promise((resolve, reject) => {
      get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) }),
        );
      }).on('error', reject);
    });

  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['identity', undefined],
    ['br;q=0.1, identity;q=0.9', undefined],
    ['deflate', undefined],
    ['gzip;q=nonsense', undefined],
    ['', undefined],
  ])('for "Accept-Encoding: %s" has the encoding %s and the unchanged content', async (accepted, encoding) => {
    const { headers, bytes } = await ask({ 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers.vary).toBe('accept-encoding');
    expect(headers['content-length']).toBe(String(bytes.length));
    expect(
      (encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString(),
    ).toBe(BODY);
  });

  it('has the same content for concurrent callers while it is being compressed', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => ask({ 'accept-encoding': 'gzip' })));
    expect(all.map(({ bytes }) => gunzipSync(bytes).toString())).toEqual(all.map(() => BODY));
  });

  it('is 304 without a body if the caller sends its ETag, for any encoding', async () => {
    const { headers } = await ask({ 'accept-encoding': 'br' });
    for (const known of [headers.etag!, `"other", ${headers.etag!}`, headers.etag!.replace('W/', ''), '*']) {
      const again = await ask({ 'if-none-match': known });
      expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
    }
    expect((await ask({ 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('has a different ETag if its content differs', () => {
    expect(PreparedBody.json('{"a":1}').etag).not.toBe(PreparedBody.json('{"a":2}').etag);
  });

  it('is not compressed if it is small', async () => {
    small = true;
    expect((await ask({ 'accept-encoding': 'br' })).headers['content-encoding']).toBeUndefined();
  });
});
