import { Agent } from 'undici';
import { VendorAnswer } from './vendor-answer.js';
import type { VendorRequest } from './vendor-request.js';

const LONGEST_CONNECT_MS = 10_000;

interface Target {
  readonly origin: string;
  readonly path: string;
}

/**
 * The one pooled HTTP client to vendors, at undici's lowest level: nothing is parsed or copied that is not asked for.
 * `timeoutMs` bounds the wait for the first byte and every silence after it; a reader's own slowness does not count.
 */
export class VendorClient {
  readonly #agent: Agent;
  readonly #targets = new Map<string, Target>();

  constructor(private readonly timeoutMs: number) {
    this.#agent = new Agent({
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: 10_000,
      connect: { timeout: Math.min(timeoutMs, LONGEST_CONNECT_MS) },
    });
  }

  /**
   * Resolves with a 2xx answer as soon as its head is there; throws the GatewayError that anything else is
   * (vendor-fault.ts), or the signal's reason.
   */
  post(request: VendorRequest): Promise<VendorAnswer> {
    const { origin, path } = this.#target(request.baseUrl);
    const timeout = request.timeoutMs ?? this.timeoutMs;
    return new Promise((resolve, reject) => {
      if (request.signal.aborted) return reject(request.signal.reason as Error);
      const answer = new VendorAnswer(request, resolve, reject);
      this.#agent.dispatch(
        {
          origin,
          path: path + request.path,
          method: 'POST',
          headers: request.headers as string[],
          body: request.body,
          headersTimeout: timeout,
          bodyTimeout: timeout,
        },
        answer,
      );
    });
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /** Parsed once: there are as many base URLs as vendors. */
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
