import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { namesEtag } from '../reply/prepared-body.js';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
const BROTLI = '.br';
const INDEX = '/index.html';
/** File names below this path contain a hash of the content, so the content of a name never changes. */
const HASHED = '/assets/';

const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATED = 'no-cache';

const NOT_BUILT = Buffer.from(
  '<!doctype html><html lang="en"><title>Gatehouse</title><h1>The console is not built</h1>' +
    '<p>Run <code>npm run build</code> and start the service again. The API works without the console.</p></html>\n',
);
const NOT_BUILT_HEAD = { 'content-type': TYPES['.html']!, 'content-length': String(NOT_BUILT.length) };

type Head = Readonly<Record<string, string>>;

interface PreparedFile {
  readonly etag: string;
  readonly bytes: Buffer;
  readonly head: Head;
  /** The compressed form, if the build created one. */
  readonly brotli?: { readonly bytes: Buffer; readonly head: Head };
}

/** The files of the built console as prepared responses. */
export class ConsoleFiles {
  private constructor(private readonly files: ReadonlyMap<string, PreparedFile>) {}

  /** Reads the folder. If it does not exist, every page explains how to build the console. */
  static async read(folder: string): Promise<ConsoleFiles> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const contents = new Map<string, Buffer>();
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      contents.set(`/${relative(folder, file).split(sep).join('/')}`, await readFile(file));
    }
    const files = new Map<string, PreparedFile>();
    for (const [path, bytes] of contents) {
      if (!path.endsWith(BROTLI)) files.set(path, prepared(path, bytes, contents.get(path + BROTLI)));
    }
    return new ConsoleFiles(files);
  }

  /** Whether the console is built. */
  get isBuilt(): boolean {
    return this.files.has(INDEX);
  }

  /**
   * Sends the file at a path below /console. The path is used as written in the URL, so it is neither decoded nor
   * joined to a folder. A path without a file is a page of the application, unless it looks like a file name. Returns
   * false if it has sent nothing.
   */
  send(path: string, request: IncomingMessage, response: ServerResponse): boolean {
    const isPage = !path.startsWith(HASHED) && TYPES[extname(path).toLowerCase()] === undefined;
    const file = this.files.get(path) ?? (isPage ? this.files.get(INDEX) : undefined);
    if (!file && !isPage) return false;
    const withBody = request.method === 'GET';
    if (!file) response.writeHead(404, NOT_BUILT_HEAD).end(withBody ? NOT_BUILT : undefined);
    else sendPrepared(file, request, response, withBody);
    return true;
  }
}

function sendPrepared(file: PreparedFile, request: IncomingMessage, response: ServerResponse, withBody: boolean): void {
  const known = request.headers['if-none-match'];
  if (known !== undefined && namesEtag(known, file.etag)) {
    const { etag, vary, 'cache-control': caching } = file.head;
    response.writeHead(304, { etag, vary, 'cache-control': caching }).end();
    return;
  }
  const { head, bytes } = acceptsBrotli(request.headers['accept-encoding']) ? (file.brotli ?? file) : file;
  response.writeHead(200, head).end(withBody ? bytes : undefined);
}

function prepared(path: string, bytes: Buffer, brotli: Buffer | undefined): PreparedFile {
  const etag = `W/"${hash('sha256', bytes, 'base64url')}"`;
  const head = {
    'content-type': TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream',
    'cache-control': path.startsWith(HASHED) ? IMMUTABLE : REVALIDATED,
    vary: 'accept-encoding',
    etag,
  };
  const sized = (body: Buffer): Head => ({ ...head, 'content-length': String(body.length) });
  return {
    etag,
    bytes,
    head: sized(bytes),
    ...(brotli && { brotli: { bytes: brotli, head: { ...sized(brotli), 'content-encoding': 'br' } } }),
  };
}

/** Whether the header names brotli with a weight other than 0. */
function acceptsBrotli(header: string | string[] | undefined): boolean {
  return String(header ?? '')
    .split(',')
    .some((part) => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
      return name === 'br' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
}
