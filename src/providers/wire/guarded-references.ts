import { Agent, request } from 'undici';
import { GatewayError, invalidRequest } from '../../kernel/errors/errors.js';
import type { ReferenceImage } from '../ports/image-adapter.port.js';
import { imageTypeOf } from '../../formats/media/image-type.js';
import { ReferenceSource, type ReferenceKind } from '../ports/reference-source.port.js';
import {
  AddressNotPublic,
  guardedLookup,
  publicOrNamed,
  resolveByDns,
  type Resolve,
} from '../../kernel/addresses/guarded-lookup.js';
import { hostOf } from '../../kernel/fetched-url.js';
import { Semaphore } from '../../kernel/scheduling/semaphore.js';
import { isLiteralAddress } from '../../kernel/addresses/public-address.js';

const MAX_REFERENCE_BYTES = 20 * 1024 * 1024;
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/**
 * Maximum number of simultaneous fetches for one API request, because a conversation may contain any number of URLs.
 */
const MAX_CONCURRENT_FETCHES = 16;
const MAX_REDIRECTS = 3;
const FETCH_TIMEOUT_MS = 20_000;

interface Kind {
  readonly noun: string;
  readonly accept: string;
  readonly typeOf: (bytes: Buffer) => string | undefined;
  /** The accepted types, for the error message. */
  readonly known: string;
}

const KINDS: Readonly<Record<ReferenceKind, Kind>> = {
  picture: { noun: 'picture', accept: 'image/*', typeOf: imageTypeOf, known: 'PNG, JPEG, WebP, GIF, AVIF, HEIC' },
  document: {
    noun: 'document',
    accept: 'application/pdf',
    typeOf: (bytes) => (bytes.subarray(0, 5).toString('latin1') === '%PDF-' ? 'application/pdf' : undefined),
    known: 'PDF',
  },
};

/** `left`: bytes that a request can still fetch. */
type Budget = { left: number };

/** The caller gets the name of the entry, followed by the message of this error. */
class UnusableReference extends Error {}

/**
 * Fetches references only from the public network and from the hosts in `privateHosts`. Host names are checked by the
 * addresses that the socket connects to, so a DNS change between check and use has no effect. Literal addresses, for
 * which there is no lookup, are checked before the request; every redirect is checked as a new URL.
 */
export class GuardedReferences extends ReferenceSource {
  readonly #agent: Agent;
  readonly #isAllowed: (host: string, address: string) => boolean;

  /** `privateHosts`: host names that may resolve to any address, and allowed literal addresses. */
  constructor(privateHosts: readonly string[], resolve: Resolve = resolveByDns) {
    super();
    this.#isAllowed = publicOrNamed(privateHosts);
    this.#agent = new Agent({
      connect: { lookup: guardedLookup(this.#isAllowed, resolve), timeout: 5_000 },
      keepAliveTimeout: 1_000,
      allowH2: false,
    });
  }

  async fetchAll(
    urls: readonly string[],
    nameOf: (index: number) => string,
    signal: AbortSignal,
    kindOf: (index: number) => ReferenceKind = () => 'picture',
  ): Promise<ReferenceImage[]> {
    const cancel = new AbortController();
    const budget = { left: MAX_TOTAL_BYTES };
    const anySignal = AbortSignal.any([signal, cancel.signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)]);
    const permits = new Semaphore(MAX_CONCURRENT_FETCHES);
    try {
      const fetching = urls.map((url, index) =>
        permits
          // Waiting fetches ignore the timeout, so that the error message names a fetch that was running.
          .run(cancel.signal, () => this.#fetch(url, KINDS[kindOf(index)], anySignal, budget))
          .catch((error: unknown) => {
            throw signal.aborted ? (signal.reason as Error) : toClientError(error, nameOf(index));
          }),
      );
      return await Promise.all(fetching);
    } finally {
      cancel.abort();
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #fetch(address: string, kind: Kind, signal: AbortSignal, budget: Budget): Promise<ReferenceImage> {
    let url = address;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const target = this.#checkedUrl(url);
      const response = await request(target, { dispatcher: this.#agent, signal, headers: { accept: kind.accept } });
      const { location } = response.headers;
      if (response.statusCode < 300 || response.statusCode >= 400 || location === undefined)
        return read(response.statusCode, response.body, kind, budget);
      response.body.on('error', () => undefined).destroy();
      url = new URL(String(location), target).href;
    }
    throw new UnusableReference('redirects too often');
  }

  #checkedUrl(url: string): URL {
    const target = URL.canParse(url) ? new URL(url) : undefined;
    if (!target || !['http:', 'https:'].includes(target.protocol)) throw new UnusableReference('is not an http(s) URL');
    const host = hostOf(target);
    if (isLiteralAddress(host) && !this.#isAllowed(host, host))
      throw new AddressNotPublic('resolves to an address that is not public');
    return target;
  }
}

async function read(
  status: number,
  body: AsyncIterable<Uint8Array>,
  { noun, typeOf, known }: Kind,
  budget: Budget,
): Promise<ReferenceImage> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early closes the connection.
  for await (const chunk of body) {
    if (status !== 200) throw new UnusableReference(`could not be fetched: its server returned ${status}`);
    size += chunk.length;
    budget.left -= chunk.length;
    if (size > MAX_REFERENCE_BYTES || budget.left < 0)
      throw new UnusableReference(
        `is too large: a ${noun} may have ${MAX_REFERENCE_BYTES / 1_048_576} MiB, all of a request ` +
          `${MAX_TOTAL_BYTES / 1_048_576} MiB`,
      );
    chunks.push(chunk);
    // Stop reading if the first bytes belong to another kind of file.
    if (size >= SNIFFED_BYTES && size - chunk.length < SNIFFED_BYTES && !typeOf(Buffer.concat(chunks))) break;
  }
  if (status !== 200) throw new UnusableReference(`could not be fetched: its server returned ${status}`);
  const bytes = Buffer.concat(chunks);
  const mediaType = typeOf(bytes);
  if (!mediaType) throw new UnusableReference(`holds no ${noun} of a known kind (${known})`);
  return { bytes, mediaType };
}

/** More than the longest file signature. */
const SNIFFED_BYTES = 32;

function toClientError(error: unknown, name: string): GatewayError {
  // undici wraps the lookup's error.
  const reason = [error, error instanceof Error ? error.cause : undefined].find(
    (candidate) => candidate instanceof UnusableReference || candidate instanceof AddressNotPublic,
  );
  if (reason) return invalidRequest(`${name} ${reason.message}`);
  return new GatewayError('invalid_request', `${name} could not be fetched`, { cause: error });
}
