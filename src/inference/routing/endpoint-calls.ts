import type { CatalogueEndpoint } from '../../catalogue/catalogue-model.js';
import { statusOfFailure } from '../../channels/rest-of-failure.js';
import { HourCounts } from '../../kernel/scheduling/hour-counts.js';

/** A called endpoint, at its provider's address or at a channel's address. */
export interface CalledEndpoint {
  readonly endpoint: CatalogueEndpoint;
  /** Null = the provider's address. */
  readonly address: string | null;
  /**
   * `requests`: successful calls and outages; `errors`: outages. Errors caused by callers or credentials are not
   * counted.
   */
  readonly hour: HourCounts;
  /** Unix milliseconds. */
  lastSuccessAt: number | null;
  lastFailure: { readonly status: number; readonly at: number } | null;
}

/** The outcomes of calls to endpoints in this process, keyed by the endpoint names of EndpointHealth. */
export class EndpointCalls {
  readonly #called = new Map<string, CalledEndpoint>();

  succeeded(name: string, endpoint: CatalogueEndpoint, address: string | undefined): void {
    const called = this.#of(name, endpoint, address);
    called.lastSuccessAt = Date.now();
    called.hour.count(false);
  }

  failed(name: string, endpoint: CatalogueEndpoint, address: string | undefined, error: unknown): void {
    const called = this.#of(name, endpoint, address);
    called.lastFailure = { status: statusOfFailure(error), at: Date.now() };
    called.hour.count(true);
  }

  all(): Iterable<[name: string, CalledEndpoint]> {
    return this.#called;
  }

  #of(name: string, endpoint: CatalogueEndpoint, address: string | undefined): CalledEndpoint {
    let called = this.#called.get(name);
    if (!called) {
      const hour = new HourCounts();
      called = { endpoint, address: address ?? null, hour, lastSuccessAt: null, lastFailure: null };
      this.#called.set(name, called);
    }
    return called;
  }
}
