import { LRUCache } from 'lru-cache';
import { Agent } from 'undici';
import { guardedLookup } from '../../kernel/addresses/guarded-lookup.js';
import { atMostEntries } from '../../kernel/cache-options.js';
import { GatewayError } from '../../kernel/errors/errors.js';
import { hostOf } from '../../kernel/fetched-url.js';
import { isLiteralAddress, isPublicAddress } from '../../kernel/addresses/public-address.js';
import { currentRequest } from '../../kernel/request-scope.js';
import type { ChannelCall } from '../ports/endpoint-call.js';
import { VendorResponse } from './vendor-response.js';
import type { VendorRequest } from './vendor-request.js';

const MAX_CONNECT_MS = 10_000;
/** Callers' own credentials may contain an address, so the number of addresses has no other limit. */
const MAX_TARGETS = 1_000;

interface Target {
  readonly origin: string;
  readonly path: string;
  /**
   * Whether a credential may use the address without CHANNEL_PRIVATE_ADDRESSES. The addresses to which a host name
   * resolves are checked later.
   */
  readonly isOpen: boolean;
}

const NOT_OPEN = 'The address of the credential must be https and public: the operator sets CHANNEL_PRIVATE_ADDRESSES';

/**
 * The pooled HTTP client for vendors, on undici's dispatch API: nothing is parsed or copied unless requested.
 * `timeoutMs` limits the wait for the first byte and every later pause; time in which the reader is slow does not
 * count.
 */
export class VendorClient {
  readonly #agent: Agent;
  /** For addresses of credentials, which were entered through the API. Connects only to public addresses. */
  readonly #guarded: Agent;
  readonly #targets = new LRUCache<string, Target>(atMostEntries(MAX_TARGETS));

  constructor(private readonly timeoutMs: number) {
    const connect = { timeout: Math.min(timeoutMs, MAX_CONNECT_MS) };
    const settings = { allowH2: false, pipelining: 1, keepAliveTimeout: 10_000 };
    const lookup = guardedLookup((_, address) => isPublicAddress(address));
    this.#agent = new Agent({ ...settings, connect });
    this.#guarded = new Agent({ ...settings, connect: { ...connect, lookup } });
  }

  /**
   * Sends a POST, or a GET if there is no body. Resolves with a 2xx response once its headers have arrived. Otherwise
   * rejects with a GatewayError (vendor-fault.ts) or the signal's reason.
   */
  post(request: VendorRequest): Promise<VendorResponse> {
    const { origin, path, isOpen } = this.#target(request.baseUrl);
    const { channel, body } = request;
    const isGuarded = channel?.baseUrl !== undefined && channel.mayBePrivate !== true;
    // Checked here, because sockets look up only names, not literal addresses.
    if (isGuarded && !isOpen) return Promise.reject(new GatewayError('provider_failed', NOT_OPEN));
    const agent = isGuarded ? this.#guarded : this.#agent;
    const timeout = request.timeoutMs ?? this.timeoutMs;
    return new Promise((resolve, reject) => {
      if (request.signal.aborted) return reject(request.signal.reason as Error);
      const response = new VendorResponse(request, resolve, reject);
      agent.dispatch(
        {
          origin,
          path: path + request.path + queryOf(channel),
          method: body === undefined ? 'GET' : 'POST',
          headers: traced(channel?.headers ? [...request.headers, ...channel.headers] : request.headers) as string[],
          body: body ?? null,
          headersTimeout: timeout,
          bodyTimeout: timeout,
        },
        response,
      );
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.#agent.destroy(), this.#guarded.destroy()]);
  }

  /** Targets are cached, because parsing a URL takes longer than a lookup. */
  #target(baseUrl: string): Target {
    let target = this.#targets.get(baseUrl);
    if (!target) {
      const url = new URL(baseUrl);
      const host = hostOf(url);
      const isOpen = url.protocol === 'https:' && (!isLiteralAddress(host) || isPublicAddress(host));
      target = { origin: url.origin, path: url.pathname.replace(/\/+$/, ''), isOpen };
      this.#targets.set(baseUrl, target);
    }
    return target;
  }
}

const queryOf = (channel: ChannelCall | undefined): string =>
  channel?.apiVersion === undefined ? '' : `?api-version=${encodeURIComponent(channel.apiVersion)}`;

/** Adds the traceparent if the call is traced and the operator has configured that vendors get it. */
function traced(headers: readonly string[]): readonly string[] {
  const traceparent = currentRequest()?.vendorTraceparent;
  return traceparent === undefined ? headers : [...headers, 'traceparent', traceparent];
}
