import { isIP } from 'node:net';
import { Agent, request, type Dispatcher } from 'undici';
import { GatewayError } from '../../kernel/errors.js';
import { guardedLookup } from './guarded-lookup.js';
import { isPublicAddress } from '../../kernel/public-address.js';
import { badAnswer, faultOfTransport } from './vendor-fault.js';

/** A vendor's whole answer at most; what is larger is streamed by adapters of our own or not at all. */
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_REDIRECTS = 3;

/** One call through somebody else's client. */
export interface FetchedCall {
  /** Where the vendor lives by itself, and where the operator says that it does. */
  readonly home: { readonly usual: string; readonly configured?: string };
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/**
 * A `fetch` to give to vendors' own packages: pooled, with our timeouts and caps, kept to the configured address. What a
 * vendor's answer points to elsewhere, such as a finished picture, is fetched from the public network only.
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
      const asked = new Request(input, { ...init, signal: null });
      const body = asked.body ? Buffer.from(await asked.arrayBuffer()) : undefined;
      try {
        return await this.#exchange(addressOf(asked.url, call), asked, body, call);
      } catch (error) {
        if (call.signal.aborted) throw call.signal.reason;
        throw error instanceof GatewayError ? error : faultOfTransport(error as Error);
      }
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#home.destroy(), this.#elsewhere.destroy()]);
  }

  async #exchange(first: URL, asked: Request, body: Buffer | undefined, call: FetchedCall): Promise<Response> {
    const timeout = call.timeoutMs ?? this.timeoutMs;
    const headers = { ...Object.fromEntries(asked.headers), 'accept-encoding': 'identity' };
    let url = first;
    for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
      const answer = await request(url, {
        dispatcher: this.#dispatcherFor(url, call),
        method: asked.method,
        headers,
        body,
        signal: call.signal,
        headersTimeout: timeout,
        bodyTimeout: timeout,
      });
      const { location } = answer.headers;
      if (asked.method !== 'GET' || location === undefined || answer.statusCode < 300 || answer.statusCode >= 400)
        return wholeResponse(answer);
      answer.body.on('error', () => undefined).destroy();
      url = new URL(String(location), url);
      // A credential is for the vendor alone.
      for (const name of Object.keys(headers))
        if (!name.startsWith('accept')) delete (headers as Record<string, string>)[name];
    }
    throw badAnswer('redirects too often');
  }

  #dispatcherFor(url: URL, { home }: FetchedCall): Agent {
    if (url.origin === new URL(home.configured ?? home.usual).origin) return this.#home;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (!['http:', 'https:'].includes(url.protocol) || (isIP(host) && !isPublicAddress(host)))
      throw badAnswer('points to an address that is not public');
    return this.#elsewhere;
  }
}

function addressOf(url: string, { home: { usual, configured } }: FetchedCall): URL {
  return new URL(configured !== undefined && url.startsWith(usual) ? configured + url.slice(usual.length) : url);
}

async function wholeResponse({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw badAnswer(`is larger than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  const flat = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return new Response(size === 0 ? null : Buffer.concat(chunks), { status: statusCode, headers: flat });
}
