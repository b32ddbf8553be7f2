import { isIP } from 'node:net';
import { Agent, request } from 'undici';
import { GatewayError, invalidRequest } from '../../kernel/errors.js';
import type { ReferenceImage } from '../spec/image-adapter.port.js';
import { imageTypeOf } from '../spec/image-type.js';
import { ReferenceSource } from '../spec/reference-source.port.js';
import { AddressUnfit, guardedLookup, resolveByDns, type Resolve } from './guarded-lookup.js';
import { isPublicAddress } from '../../kernel/public-address.js';

const MOST_BYTES_EACH = 20 * 1024 * 1024;
const MOST_BYTES_IN_ALL = 64 * 1024 * 1024;
const MOST_REDIRECTS = 3;
const DEADLINE_MS = 20_000;

/** A reason for the caller; the name of the entry goes before it. */
class Unfit extends Error {}

/**
 * Fetches reference pictures from the public network only. Names are judged by the very addresses that are connected to,
 * so that a name that changes its address between check and use gains nothing; literal addresses, which no look-up sees,
 * are judged before, and every redirect is judged as a new address.
 */
export class GuardedReferences extends ReferenceSource {
  readonly #agent: Agent;

  /** `privateHosts`: names and literal addresses that are fetched from wherever they lead. */
  constructor(
    private readonly privateHosts: readonly string[],
    resolve: Resolve = resolveByDns,
  ) {
    super();
    this.#agent = new Agent({
      connect: { lookup: guardedLookup((host, address) => this.#isAllowed(host, address), resolve), timeout: 5_000 },
      keepAliveTimeout: 1_000,
      allowH2: false,
    });
  }

  async fetchAll(
    urls: readonly string[],
    nameOf: (index: number) => string,
    signal: AbortSignal,
  ): Promise<ReferenceImage[]> {
    const givenUp = new AbortController();
    const budget = { left: MOST_BYTES_IN_ALL };
    const either = AbortSignal.any([signal, givenUp.signal, AbortSignal.timeout(DEADLINE_MS)]);
    try {
      const fetching = urls.map((url, index) =>
        this.#fetch(url, either, budget).catch((error: unknown) => {
          throw signal.aborted ? (signal.reason as Error) : told(error, nameOf(index));
        }),
      );
      return await Promise.all(fetching);
    } finally {
      givenUp.abort();
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #fetch(address: string, signal: AbortSignal, budget: { left: number }): Promise<ReferenceImage> {
    let url = address;
    for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
      const target = this.#judged(url);
      const answer = await request(target, { dispatcher: this.#agent, signal, headers: { accept: 'image/*' } });
      const { location } = answer.headers;
      if (answer.statusCode < 300 || answer.statusCode >= 400 || location === undefined)
        return read(answer.statusCode, answer.body, budget);
      answer.body.on('error', () => undefined).destroy();
      url = new URL(String(location), target).href;
    }
    throw new Unfit('redirects too often');
  }

  #judged(url: string): URL {
    const target = URL.canParse(url) ? new URL(url) : undefined;
    if (!target || !['http:', 'https:'].includes(target.protocol)) throw new Unfit('is not an http(s) URL');
    const host = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) && !this.#isAllowed(host, host)) throw new AddressUnfit('leads to an address that is not public');
    return target;
  }

  #isAllowed(host: string, address: string): boolean {
    return isPublicAddress(address) || this.privateHosts.includes(host.toLowerCase().replace(/\.$/, ''));
  }
}

async function read(
  status: number,
  body: AsyncIterable<Uint8Array>,
  budget: { left: number },
): Promise<ReferenceImage> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early ends the connection.
  for await (const chunk of body) {
    if (status !== 200) throw new Unfit(`could not be fetched: its server answered ${status}`);
    size += chunk.length;
    budget.left -= chunk.length;
    if (size > MOST_BYTES_EACH || budget.left < 0)
      throw new Unfit(
        `is too large: a picture may have ${MOST_BYTES_EACH / 1_048_576} MiB, all of a request ${MOST_BYTES_IN_ALL / 1_048_576} MiB`,
      );
    chunks.push(chunk);
    // Nothing is read on that does not begin as a picture.
    if (size >= SNIFFED_BYTES && size - chunk.length < SNIFFED_BYTES && !imageTypeOf(Buffer.concat(chunks))) break;
  }
  if (status !== 200) throw new Unfit(`could not be fetched: its server answered ${status}`);
  const bytes = Buffer.concat(chunks);
  const mediaType = imageTypeOf(bytes);
  if (!mediaType) throw new Unfit('holds no picture of a known kind (PNG, JPEG, WebP, GIF, AVIF, HEIC)');
  return { bytes, mediaType };
}

/** More than any signature needs. */
const SNIFFED_BYTES = 32;

function told(error: unknown, name: string): GatewayError {
  // undici wraps what the look-up threw.
  const reason = [error, error instanceof Error ? error.cause : undefined].find(
    (candidate) => candidate instanceof Unfit || candidate instanceof AddressUnfit,
  );
  if (reason) return invalidRequest(`${name} ${reason.message}`);
  return new GatewayError('invalid_request', `${name} could not be fetched`, { cause: error });
}
