import { Agent, request, type Dispatcher } from 'undici';
import { GatewayError } from '../../kernel/errors/errors.js';
import { guardedLookup } from '../../kernel/addresses/guarded-lookup.js';
import { hostOf } from '../../kernel/fetched-url.js';
import { isLiteralAddress, isPublicAddress } from '../../kernel/addresses/public-address.js';
import { currentRequest } from '../../kernel/request-scope.js';
import { MAX_STREAMED_BYTES } from './vendor-response.js';
import { faultOfTransport } from './vendor-fault.js';
import { badResponse } from '../../formats/bad-response.js';

/** Maximum size of a response that is not streamed, because it is held in memory as a whole. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
const MAX_REDIRECTS = 3;

/** The settings of one call through a vendor's own package. */
interface FetchedCall {
  /** The vendor's standard base URL, and the one that the operator configured. */
  readonly home: {
    readonly standard: string;
    readonly configured?: string;
    /** Whether the address was entered through the API, so that only the public network may be reached. */
    readonly isGuarded?: boolean;
    /** Whether redirects are not followed. */
    readonly isFinal?: boolean;
  };
  /** Alternating names and values, which are sent only to the home address. */
  readonly headers?: readonly string[];
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  /** Whether the body of a 2xx response is forwarded as it arrives. The caller must read it to its end or cancel it. */
  readonly streams?: boolean;
}

/**
 * Creates `fetch` functions for vendors' own packages, with pooled connections, timeouts and size limits. The
 * configured base URL replaces the standard base URL in requests. Other URLs, such as the URL of a finished picture in
 * a response, are fetched only from the public network.
 */
export class VendorFetch {
  readonly #home: Agent;
  readonly #elsewhere: Agent;

  constructor(private readonly timeoutMs: number) {
    const connect = { timeout: Math.min(timeoutMs, 10_000) };
    this.#home = new Agent({ connect, allowH2: false });
    this.#elsewhere = new Agent({
      connect: { ...connect, lookup: guardedLookup((_, address) => isPublicAddress(address)) },
      allowH2: false,
    });
  }

  forCall(call: FetchedCall): typeof globalThis.fetch {
    return async (input, init) => {
      const original = new Request(input, { ...init, signal: null });
      const body = original.body ? Buffer.from(await original.arrayBuffer()) : undefined;
      try {
        return await this.#exchange(addressOf(original.url, call), original, body, call);
      } catch (error) {
        if (call.signal.aborted) throw call.signal.reason;
        throw error instanceof GatewayError ? error : faultOfTransport(error as Error);
      }
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#home.destroy(), this.#elsewhere.destroy()]);
  }

  async #exchange(first: URL, original: Request, body: Buffer | undefined, call: FetchedCall): Promise<Response> {
    const timeout = call.timeoutMs ?? this.timeoutMs;
    const traceparent = currentRequest()?.vendorTraceparent;
    const headers: Record<string, string> = {
      ...Object.fromEntries(original.headers),
      'accept-encoding': 'identity',
      ...(traceparent !== undefined && { traceparent }),
    };
    if (isHome(first, call)) for (const [name, value] of pairsOf(call.headers)) headers[name] = value;
    let url = first;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const response = await request(url, {
        dispatcher: this.#dispatcherFor(url, call),
        method: original.method,
        headers,
        body,
        signal: call.signal,
        headersTimeout: timeout,
        bodyTimeout: timeout,
      });
      const { location } = response.headers;
      if (
        call.home.isFinal ||
        original.method !== 'GET' ||
        location === undefined ||
        response.statusCode < 300 ||
        response.statusCode >= 400
      )
        return call.streams && response.statusCode < 300 ? streamedResponse(response, call) : wholeResponse(response);
      response.body.on('error', () => undefined).destroy();
      url = new URL(String(location), url);
      // Do not send the credential to the target of a redirect.
      for (const name of Object.keys(headers)) if (!name.startsWith('accept')) delete headers[name];
    }
    throw badResponse('redirects too often');
  }

  #dispatcherFor(url: URL, call: FetchedCall): Agent {
    if (!call.home.isGuarded && isHome(url, call)) return this.#home;
    const host = hostOf(url);
    if (!['http:', 'https:'].includes(url.protocol) || (isLiteralAddress(host) && !isPublicAddress(host)))
      throw badResponse('points to an address that is not public');
    return this.#elsewhere;
  }
}

const isHome = (url: URL, { home }: FetchedCall): boolean =>
  url.origin === new URL(home.configured ?? home.standard).origin;

const pairsOf = (headers: readonly string[] = []): [string, string][] =>
  headers.flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), headers[index + 1]!]] : []));

function addressOf(url: string, { home: { standard, configured } }: FetchedCall): URL {
  return new URL(configured !== undefined && url.startsWith(standard) ? configured + url.slice(standard.length) : url);
}

async function wholeResponse(response: Dispatcher.ResponseData): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw badResponse(`is larger than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return new Response(size === 0 ? null : Buffer.concat(chunks), headOf(response));
}

/** Errors of the body are GatewayErrors, or the reason of the signal. Cancelling the body closes the connection. */
function streamedResponse(response: Dispatcher.ResponseData, { signal }: FetchedCall): Response {
  const { body } = response;
  // Without a listener, an error of a body that is no longer read would end the process.
  body.on('error', () => undefined);
  const encoding = response.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    body.destroy();
    throw badResponse(`has the content encoding ${String(encoding).slice(0, 40)}, which was not requested`);
  }
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  let size = 0;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done) return controller.close();
        size += value.length;
        if (size > MAX_STREAMED_BYTES) throw badResponse(`is larger than ${MAX_STREAMED_BYTES} bytes`);
        controller.enqueue(value);
      } catch (error) {
        body.destroy();
        const isOwn = error instanceof GatewayError;
        controller.error(signal.aborted ? signal.reason : isOwn ? error : faultOfTransport(error as Error));
      }
    },
    cancel: () => void body.destroy(),
  });
  return new Response(stream, headOf(response));
}

function headOf({ statusCode, headers }: Dispatcher.ResponseData): ResponseInit {
  const flat = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return { status: statusCode, headers: flat };
}
