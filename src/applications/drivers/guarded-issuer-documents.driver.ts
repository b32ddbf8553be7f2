import { Agent, request } from 'undici';
import { VERSION } from '../../config/version.js';
import { GatewayError } from '../../kernel/errors/errors.js';
import { checkedUrl } from '../../kernel/fetched-url.js';
import {
  AddressNotPublic,
  guardedLookup,
  publicOrNamed,
  resolveByDns,
  type Resolve,
} from '../../kernel/addresses/guarded-lookup.js';
import { IssuerDocuments } from '../issuer-documents.port.js';
import { invalidGrant, TokenRefusal } from '../token-refusal.js';

const MAX_DOCUMENT_BYTES = 1_048_576;
const MAX_CONNECT_MS = 5_000;
const RETRY_AFTER_S = 60;

/**
 * Connects only to the public network, over https. For a host name, the address to which the socket connects is
 * checked. Redirects are not followed.
 */
export class GuardedIssuerDocuments extends IssuerDocuments {
  readonly #agent: Agent;

  /** `privateHosts`: names and literal addresses for which http and private addresses are allowed. */
  constructor(
    private readonly privateHosts: readonly string[],
    resolve: Resolve = resolveByDns,
  ) {
    super();
    this.#agent = new Agent({
      connect: { lookup: guardedLookup(publicOrNamed(privateHosts), resolve), timeout: MAX_CONNECT_MS },
      keepAliveTimeout: 1_000,
      allowH2: false,
    });
  }

  async fetch(url: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    try {
      const { href } = checkedUrl(url, this.privateHosts, 'The address of the issuer');
      const headers = { accept: 'application/json', 'user-agent': `Gatehouse/${VERSION}` };
      const { statusCode, body } = await request(href, { dispatcher: this.#agent, signal, headers });
      // Leaving the loop early closes the connection.
      const chunks: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        if (statusCode !== 200) break;
        size += chunk.length;
        if (size > MAX_DOCUMENT_BYTES) throw invalidGrant('The issuer sent a document of more than 1 MiB');
        chunks.push(chunk);
      }
      if (statusCode >= 500 || statusCode === 429) throw unreachable(`its server returned ${statusCode}`);
      if (statusCode !== 200)
        throw invalidGrant(`The document of the issuer could not be read: its server returned ${statusCode}`);
      return objectOf(Buffer.concat(chunks));
    } catch (error) {
      throw refusalOf(error);
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

function objectOf(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Invalid JSON is refused below.
  }
  throw invalidGrant('The issuer sent a document that is not a JSON object');
}

const unreachable = (reason: string, cause?: unknown): GatewayError =>
  new GatewayError('unavailable', `The documents of the issuer could not be fetched: ${reason}`, {
    headers: { 'retry-after': String(RETRY_AFTER_S) },
    cause,
  });

function refusalOf(error: unknown): Error {
  // undici wraps the error of the lookup.
  if ([error, (error as Error).cause].some((each) => each instanceof AddressNotPublic))
    return invalidGrant('The host of the issuer resolves to an address that is not public');
  if (error instanceof TokenRefusal) return error;
  if (error instanceof GatewayError) return error.kind === 'invalid_request' ? invalidGrant(error.message) : error;
  return unreachable('it did not respond', error);
}
