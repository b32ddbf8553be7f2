import { Agent } from 'undici';
import { currentRequest } from '../../kernel/request-scope.js';
import { VendorResponse } from './vendor-response.js';
import type { VendorRequest } from './vendor-request.js';

const MAX_CONNECT_MS = 10_000;

interface Target {
  readonly origin: string;
  readonly path: string;
}

/**
 * The pooled HTTP client for vendors, on undici's dispatch API: nothing is parsed or copied unless requested.
 * `timeoutMs` limits the wait for the first byte and every later pause; time in which the reader is slow does not
 * count.
 */
export class VendorClient {
  readonly #agent: Agent;
  readonly #targets = new Map<string, Target>();

  constructor(private readonly timeoutMs: number) {
    this.#agent = new Agent({
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: 10_000,
      connect: { timeout: Math.min(timeoutMs, MAX_CONNECT_MS) },
    });
  }

  /**
   * Resolves with a 2xx response once its headers arrived; for anything else rejects with a GatewayError
   * (vendor-fault.ts) or the signal's reason.
   */
  post(request: VendorRequest): Promise<VendorResponse> {
    const { origin, path } = this.#target(request.baseUrl);
    const timeout = request.timeoutMs ?? this.timeoutMs;
    return new Promise((resolve, reject) => {
      if (request.signal.aborted) return reject(request.signal.reason as Error);
      const response = new VendorResponse(request, resolve, reject);
      this.#agent.dispatch(
        {
          origin,
          path: path + request.path,
          method: 'POST',
          headers: traced(request.headers) as string[],
          body: request.body,
          headersTimeout: timeout,
          bodyTimeout: timeout,
        },
        response,
      );
    });
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /** Cached: there is one base URL per vendor. */
  #target(baseUrl: string): Target {
    let target = this.#targets.get(baseUrl);
    if (!target) {
      const url = new URL(baseUrl);
      target = { origin: url.origin, path: url.pathname.replace(/\/+$/, '') };
      this.#targets.set(baseUrl, target);
    }
    return target;
  }
}

/** The headers with the traceparent of a traced call, where the operator passes it to vendors. */
function traced(headers: readonly string[]): readonly string[] {
  const traceparent = currentRequest()?.vendorTraceparent;
  return traceparent === undefined ? headers : [...headers, 'traceparent', traceparent];
}
