import type { IncomingMessage, ServerResponse } from 'node:http';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

type Encoding = 'br' | 'gzip';

const COMPRESS: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 6 }),
};

/** Compressing a smaller body costs time and saves almost nothing. */
const MIN_COMPRESSED_BYTES = 1024;

/** A body that is serialised, hashed and compressed once and then sent in many responses. */
export class PreparedBody {
  readonly etag: string;
  readonly #encoded = new Map<Encoding | undefined, Buffer>();
  readonly #underWay = new Map<Encoding, Promise<Buffer>>();
  readonly #heads = new Map<Encoding | undefined, Record<string, string>>();

  constructor(
    body: string,
    private readonly contentType: string,
  ) {
    const bytes = Buffer.from(body);
    this.#encoded.set(undefined, bytes);
    // A weak ETag, because the compressed forms have the same content in other bytes.
    this.etag = `W/"${createHash('sha1').update(bytes).digest('base64url')}"`;
  }

  static json(body: string): PreparedBody {
    return new PreparedBody(body, 'application/json; charset=utf-8');
  }

  /** Approximate memory in bytes. */
  get size(): number {
    return [...this.#encoded.values()].reduce((sum, bytes) => sum + bytes.length, 0) + 500;
  }

  /** Sends 304 if the caller already has this version; otherwise 200 in the caller's preferred encoding. */
  async send(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const known = request.headers['if-none-match'];
    if (known !== undefined && namesEtag(known, this.etag)) {
      response
        .writeHead(304, { etag: this.etag, 'cache-control': 'private, no-cache', vary: variesBy(response) })
        .end();
      return;
    }
    const encoding =
      this.#encoded.get(undefined)!.length < MIN_COMPRESSED_BYTES
        ? undefined
        : preferred(request.headers['accept-encoding']);
    const bytes = this.#encoded.get(encoding) ?? (await this.#encode(encoding!));
    const head = this.#head(encoding, bytes);
    const vary = variesBy(response);
    response.writeHead(200, vary === ENCODING ? head : { ...head, vary }).end(bytes);
  }

  #head(encoding: Encoding | undefined, bytes: Buffer): Record<string, string> {
    let head = this.#heads.get(encoding);
    if (!head) {
      head = {
        'content-type': this.contentType,
        'content-length': String(bytes.length),
        etag: this.etag,
        'cache-control': 'private, no-cache',
        vary: ENCODING,
        ...(encoding ? { 'content-encoding': encoding } : {}),
      };
      this.#heads.set(encoding, head);
    }
    return head;
  }

  /** Concurrent callers share one compression. */
  #encode(encoding: Encoding): Promise<Buffer> {
    let underWay = this.#underWay.get(encoding);
    if (!underWay) {
      underWay = COMPRESS[encoding](this.#encoded.get(undefined)!);
      this.#underWay.set(encoding, underWay);
      void underWay.then((bytes) => this.#encoded.set(encoding, bytes)).catch(() => this.#underWay.delete(encoding));
    }
    return underWay;
  }
}

const ENCODING = 'accept-encoding';

/** The Vary header, including the existing values of the response. */
function variesBy(response: ServerResponse): string {
  const own = response.getHeader('vary');
  return own === undefined ? ENCODING : `${String(own)}, ${ENCODING}`;
}

/** Whether an If-None-Match header contains an ETag, by weak comparison (RFC 9110, 13.1.2). */
export function namesEtag(header: string, etag: string): boolean {
  if (header.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === opaque);
}

const MAX_HEADERS = 100;
const preferences = new Map<string, Encoding | undefined>();

/** The encoding with the highest weight, brotli if the weights are equal; undefined = uncompressed. */
function preferred(header: string | string[] | undefined): Encoding | undefined {
  if (header === undefined) return undefined;
  const text = String(header);
  if (preferences.has(text)) return preferences.get(text);
  const choice = choose(text);
  // Clients use few different headers. The limit bounds the memory if a client sends many.
  if (preferences.size < MAX_HEADERS) preferences.set(text, choice);
  return choice;
}

function choose(header: string): Encoding | undefined {
  const weights = new Map(
    header
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
        const q = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
        return [name, Number.isFinite(q) ? q : 0] as const;
      }),
  );
  const weight = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const plain = weights.get('identity') ?? 0;
  const best: Encoding = weight('br') >= weight('gzip') ? 'br' : 'gzip';
  return weight(best) > 0 && weight(best) >= plain ? best : undefined;
}
