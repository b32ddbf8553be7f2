import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Kept {
  readonly bytes: Buffer;
  readonly at: Date;
}

const PAGE = 2;

/**
 * The part of S3 that an object store needs, in memory: path style, PUT, GET, DELETE, and ListObjectsV2 with pages of
 * two. It refuses unsigned requests, and bytes that differ from the signed ones.
 */
export class TestS3Server {
  readonly objects = new Map<string, Kept>();
  readonly seen: string[] = [];
  /** Statuses that the next PUTs return instead of storing the object; `cut` = the connection is reset. */
  readonly failNextPuts: (number | 'cut')[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => void this.#answer(request, response).catch(() => response.destroy()));
  }

  static async start(): Promise<TestS3Server> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TestS3Server(server);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    this.seen.push(`${request.method} ${url.pathname}`);
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=test-access/'))
      return refuse(response, 403, 'AccessDenied');
    const key = decodeURIComponent(url.pathname.split('/').slice(2).join('/'));
    if (request.method === 'PUT') return this.#put(key, request, response);
    if (request.method === 'DELETE') {
      this.objects.delete(key);
      return void response.writeHead(204).end();
    }
    if (url.searchParams.get('list-type') === '2') return this.#list(url.searchParams, response);
    const kept = this.objects.get(key);
    return kept
      ? void response.writeHead(200, { 'content-length': kept.bytes.length }).end(kept.bytes)
      : refuse(response, 404, 'NoSuchKey');
  }

  async #put(key: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const failure = this.failNextPuts.shift();
    if (failure === 'cut') return void request.socket.destroy();
    const bytes = Buffer.concat((await request.toArray()) as Buffer[]);
    if (failure !== undefined) return refuse(response, failure, failure === 503 ? 'SlowDown' : 'InternalError');
    if (createHash('sha256').update(bytes).digest('hex') !== request.headers['x-amz-content-sha256'])
      return refuse(response, 400, 'XAmzContentSHA256Mismatch');
    this.objects.set(key, { bytes, at: new Date() });
    response.writeHead(200, { etag: '"1"' }).end();
  }

  #list(query: URLSearchParams, response: ServerResponse): void {
    const after = query.get('continuation-token') ?? '';
    const keys = [...this.objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
      .toSorted();
    const page = keys.slice(0, PAGE);
    const more = keys.length > PAGE;
    const contents = page.map(
      (key) =>
        `<Contents><Key>${key}</Key><Size>${this.objects.get(key)!.bytes.length}</Size>` +
        `<LastModified>${this.objects.get(key)!.at.toISOString()}</LastModified></Contents>`,
    );
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(
      `<?xml version="1.0"?><ListBucketResult>${contents.join('')}<IsTruncated>${more}</IsTruncated>` +
        `${next}</ListBucketResult>`,
    );
  }
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}
