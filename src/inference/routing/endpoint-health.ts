import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhen, type CircuitBreakerPolicy } from 'cockatiel';
import type { Capability, CatalogueEndpoint } from '../../catalogue/catalogue-model.js';
import { Config } from '../../config/config.js';
import { GatewayError, type ErrorKind } from '../../kernel/errors/errors.js';
import { retryAfterSeconds } from '../../kernel/errors/retry-after.js';
import { CounterCells } from '../../telemetry/cells.js';
import { Metrics } from '../../telemetry/metrics.js';
import { breakerFamily, endpointReport, type Circuit, type EndpointReport } from './breaker-states.js';
import { EndpointCalls } from './endpoint-calls.js';

/** No endpoint or credential can serve a call at present. Nothing was sent to a vendor. */
export class EndpointUnhealthy extends GatewayError {}

/** The error kind of a call that no endpoint can serve at present. */
export const unavailableKind = (capability: Capability): ErrorKind =>
  capability === 'image' ? 'provider_failed' : 'unavailable';
const UNHEALTHY_MESSAGE = 'No endpoint of this model is healthy at present. Try again in a few seconds.';

const names = new WeakMap<CatalogueEndpoint, string>();

/** The name of an endpoint in logs; it identifies the endpoint across snapshots of the catalogue. */
export function nameOfEndpoint(endpoint: CatalogueEndpoint): string {
  let name = names.get(endpoint);
  if (name === undefined) {
    const { provider, tag, upstreamModel, listedAs = upstreamModel, capability } = endpoint;
    name = `${tag === provider ? provider : `${provider} (${tag})`} ${listedAs} ${capability}`;
    names.set(endpoint, name);
  }
  return name;
}

/** An endpoint at the address of a credential; undefined = at its provider's address. */
export interface EndpointPlace {
  readonly endpoint: CatalogueEndpoint;
  readonly address: string | undefined;
}

const nameAt = (endpoint: CatalogueEndpoint, address: string | undefined): string =>
  address === undefined ? nameOfEndpoint(endpoint) : `${nameOfEndpoint(endpoint)} at ${address}`;

type HealthListener = (endpoint: CatalogueEndpoint, isHealthy: boolean) => void;

/**
 * Work that calls an endpoint. If the response has only started when the work resolves, the work passes a promise of
 * the response's end to `watchEnd`.
 */
type EndpointWork<T> = (watchEnd: (end: Promise<void>) => void) => Promise<T>;

/**
 * A circuit breaker for every endpoint. A breaker opens after consecutive connection failures, timeouts and 5xx
 * responses; after a pause, one call probes the endpoint. Errors of callers and credentials do not count.
 */
@Injectable()
export class EndpointHealth {
  readonly #log = new Logger(EndpointHealth.name);
  readonly #circuits = new Map<string, Circuit>();
  readonly #calls = new EndpointCalls();
  readonly #listeners: HealthListener[] = [];
  readonly #refusals = new CounterCells(
    'gatehouse_breaker_refusals_total',
    'Calls that were refused because the breakers of all their endpoints were open.',
    'capability',
  );

  constructor(
    private readonly config: Config,
    metrics: Metrics,
  ) {
    metrics.add('breakers', () => [breakerFamily(this.#circuits), this.#refusals.family()]);
  }

  /** Calls the listener each time an endpoint is found unhealthy, and when it is healthy again. */
  onChange(listener: HealthListener): void {
    this.#listeners.push(listener);
  }

  /** Every endpoint that was called. */
  reports(): EndpointReport[] {
    return Array.from(this.#calls.all(), ([name, called]) => endpointReport(name, called, this.#circuits.get(name)));
  }

  /** Whether the endpoint can be called now. `address`: the credential's address; undefined = the provider's. */
  isCallable(endpoint: CatalogueEndpoint, address?: string): boolean {
    const circuit = this.#circuits.get(nameAt(endpoint, address));
    if (!circuit || circuit.policy.state === CircuitState.Closed) return true;
    // While one call probes a half-open circuit, other calls are refused instead of waiting for the outcome.
    return (
      circuit.policy.state === CircuitState.Open && Date.now() - circuit.openedAt >= this.config.values.BREAKER_PAUSE_MS
    );
  }

  /** Throws the result of `refusal` if the endpoint cannot be called. */
  assertCallable(endpoint: CatalogueEndpoint, address?: string): void {
    if (!this.isCallable(endpoint, address)) throw this.refusal([{ endpoint, address }]);
  }

  /**
   * Counts and returns the refusal of a call for which none of the endpoints can be called. `places`: never empty.
   * Retry-After is the shortest remaining pause, in seconds.
   */
  refusal(places: readonly EndpointPlace[]): EndpointUnhealthy {
    const { capability, providerName } = places[0]!.endpoint;
    this.#refusals.count(capability);
    const leftMs = Math.min(...places.map((place) => this.#pauseLeftMs(place)));
    const seconds = retryAfterSeconds(leftMs);
    return new EndpointUnhealthy(unavailableKind(capability), UNHEALTHY_MESSAGE, {
      headers: { 'Retry-After': String(seconds) },
      facts: { provider: providerName },
    });
  }

  #pauseLeftMs({ endpoint, address }: EndpointPlace): number {
    const openedAt = this.#circuits.get(nameAt(endpoint, address))?.openedAt ?? 0;
    return openedAt + this.config.values.BREAKER_PAUSE_MS - Date.now();
  }

  /**
   * Does the work and reports its outcome. If the response has only started, the end of the response is the outcome.
   */
  watch<T>(endpoint: CatalogueEndpoint, work: EndpointWork<T>, address?: string): Promise<T> {
    this.assertCallable(endpoint, address);
    const circuit = this.#circuits.get(nameAt(endpoint, address));
    return !circuit || circuit.policy.state === CircuitState.Closed
      ? this.#callDirectly(endpoint, address, work)
      : this.#probe(circuit.policy, work, endpoint, address);
  }

  /**
   * Calls the endpoint outside of its circuit, which is closed, and reports the outcome to the circuit. A success is
   * reported only after a failure.
   */
  #callDirectly<T>(endpoint: CatalogueEndpoint, address: string | undefined, work: EndpointWork<T>): Promise<T> {
    let rest: Promise<void> | undefined;
    const succeeded = (): void => {
      const name = nameAt(endpoint, address);
      this.#calls.succeeded(name, endpoint, address);
      const circuit = this.#circuits.get(name);
      if (circuit?.isFailing) report(circuit, undefined);
    };
    const failed = (error: unknown): void => {
      if (!isOutage(error)) return;
      this.#calls.failed(nameAt(endpoint, address), endpoint, address, error);
      report(this.#circuitOf(endpoint, address), error);
    };
    const started = work((end) => void (rest = end));
    started.then(() => (rest ? rest.then(succeeded, failed) : succeeded()), failed);
    return started;
  }

  #probe<T>(
    policy: CircuitBreakerPolicy,
    work: EndpointWork<T>,
    endpoint: CatalogueEndpoint,
    address: string | undefined,
  ): Promise<T> {
    const name = nameAt(endpoint, address);
    return new Promise((resolve, reject) => {
      let rest: Promise<void> | undefined;
      const watched = async (): Promise<void> => {
        resolve(await work((end) => void (rest = end)));
        // A response that takes longer than one pause counts as a success, so that the circuit closes.
        await (rest && Promise.race([rest, sleep(this.config.values.BREAKER_PAUSE_MS, undefined, { ref: false })]));
        this.#calls.succeeded(name, endpoint, address);
      };
      const failed = (error: Error): void => {
        if (isOutage(error)) this.#calls.failed(name, endpoint, address, error);
        reject(error);
      };
      policy.execute(watched).catch(failed);
    });
  }

  #circuitOf(endpoint: CatalogueEndpoint, address: string | undefined): Circuit {
    const name = nameAt(endpoint, address);
    let circuit = this.#circuits.get(name);
    if (!circuit) {
      circuit = this.#newCircuit(name, endpoint);
      this.#circuits.set(name, circuit);
    }
    return circuit;
  }

  #newCircuit(name: string, endpoint: CatalogueEndpoint): Circuit {
    const { BREAKER_FAILURES: failures, BREAKER_PAUSE_MS: pauseMs } = this.config.values;
    // A probe whose caller disconnected is inconclusive: it must not count as the success that closes a half-open
    // circuit.
    const counts = (error: unknown): boolean =>
      isOutage(error) ||
      (policy.state === CircuitState.HalfOpen && error instanceof GatewayError && error.kind === 'caller_gone');
    const policy = circuitBreaker(handleWhen(counts), {
      breaker: new ConsecutiveBreaker(failures),
      halfOpenAfter: pauseMs,
    });
    const circuit: Circuit = { policy, isFailing: false, openedAt: 0 };
    policy.onBreak((reason) => {
      circuit.openedAt = Date.now();
      const last = 'error' in reason && reason.error instanceof Error ? `: ${reason.error.message}` : '';
      this.#log.warn(`Endpoint ${name} is unhealthy and will not be called for ${pauseMs} ms${last}`);
      for (const listener of this.#listeners) listener(endpoint, false);
    });
    policy.onHalfOpen(() => this.#log.log(`Endpoint ${name} is tried again`));
    policy.onReset(() => {
      this.#log.log(`Endpoint ${name} is healthy again`);
      for (const listener of this.#listeners) listener(endpoint, true);
    });
    return circuit;
  }
}

/**
 * Reports the outcome of a call that started while the circuit was closed. Does nothing if the circuit is no longer
 * closed.
 */
function report(circuit: Circuit, failure: GatewayError | undefined): void {
  if (circuit.policy.state !== CircuitState.Closed) return;
  circuit.isFailing = failure !== undefined;
  const ended = (): void => {
    if (failure) throw failure;
  };
  circuit.policy.execute(ended).catch(() => undefined);
}

/**
 * Whether an error is an outage of the vendor: a timeout, a broken connection, an incomplete response, or a status of
 * 500 or more. The code that creates the error sets `outage`.
 */
export const isOutage = (error: unknown): error is GatewayError => error instanceof GatewayError && error.outage;
