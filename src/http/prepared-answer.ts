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

/** Below this a compressed answer is hardly smaller, and takes longer. */
const WORTH_COMPRESSING = 1024;

/** A body that is serialised, hashed and compressed once and then sent as often as it is asked for. */
export class PreparedAnswer {
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
    // Weak: the compressed forms hold the same answer in other bytes.
    this.etag = `W/"${createHash('sha1').update(bytes).digest('base64url')}"`;
  }

  static json(body: string): PreparedAnswer {
    return new PreparedAnswer(body, 'application/json; charset=utf-8');
  }

  /** Bytes it holds in memory, roughly. */
  get size(): number {
    return [...this.#encoded.values()].reduce((sum, bytes) => sum + bytes.length, 0) + 500;
  }

  /** Answers the request: 304 where the caller has it already, else 200 in the encoding the caller likes best. */
  async send(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const known = request.headers['if-none-match'];
    if (known !== undefined && names(known, this.etag)) {
      response.writeHead(304, { etag: this.etag, 'cache-control': 'private, no-cache', vary: 'accept-encoding' }).end();
      return;
    }
    const encoding =
      this.#encoded.get(undefined)!.length < WORTH_COMPRESSING
        ? undefined
        : preferred(request.headers['accept-encoding']);
    const bytes = this.#encoded.get(encoding) ?? (await this.#encode(encoding!));
    response.writeHead(200, this.#head(encoding, bytes)).end(bytes);
  }

  #head(encoding: Encoding | undefined, bytes: Buffer): Record<string, string> {
    let head = this.#heads.get(encoding);
    if (!head) {
      head = {
        'content-type': this.contentType,
        'content-length': String(bytes.length),
        etag: this.etag,
        'cache-control': 'private, no-cache',
        vary: 'accept-encoding',
        ...(encoding ? { 'content-encoding': encoding } : {}),
      };
      this.#heads.set(encoding, head);
    }
    return head;
  }

  /** Callers who come while it is compressed wait for the same one. */
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

/** Weak comparison (RFC 9110, 13.1.2). */
function names(header: string, etag: string): boolean {
  if (header.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === opaque);
}

const MOST_HEADERS = 100;
const preferences = new Map<string, Encoding | undefined>();

/** The encoding that the caller weighs highest, brotli where it does not care. */
function preferred(header: string | string[] | undefined): Encoding | undefined {
  if (header === undefined) return undefined;
  const text = String(header);
  if (preferences.has(text)) return preferences.get(text);
  const choice = choose(text);
  // Clients send few different headers; who sends many gets no memory for it.
  if (preferences.size < MOST_HEADERS) preferences.set(text, choice);
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
