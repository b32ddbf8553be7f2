import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhen, type CircuitBreakerPolicy } from 'cockatiel';
import type { Capability, CatalogueEndpoint } from '../../catalogue/catalogue-model.js';
import { Config } from '../../config/config.js';
import { GatewayError, type ErrorKind } from '../../kernel/errors/errors.js';
import { retryAfterSeconds } from '../../kernel/errors/retry-after.js';
import { CounterCells } from '../../telemetry/cells.js';
import type { MetricFamily } from '../../telemetry/metric-family.js';
import { Metrics } from '../../telemetry/metrics.js';

/** No endpoint of a call is healthy: nothing was sent to a vendor. */
export class EndpointUnhealthy extends GatewayError {}

/** How a call fails when nothing can serve it at present. */
export const unavailableKind = (capability: Capability): ErrorKind =>
  capability === 'image' ? 'provider_failed' : 'unavailable';
const UNHEALTHY_MESSAGE = 'No endpoint of this model is healthy at present. Try again in some seconds.';

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

/** An endpoint at its provider's address, or at the address of a credential. */
const nameAt = (endpoint: CatalogueEndpoint, address: string | undefined): string =>
  address === undefined ? nameOfEndpoint(endpoint) : `${nameOfEndpoint(endpoint)} at ${address}`;

/** Endpoints whose breaker is reported in the metrics. */
const MAX_REPORTED = 50;
const STATE_VALUE: Readonly<Record<CircuitState, number>> = {
  [CircuitState.Closed]: 0,
  [CircuitState.HalfOpen]: 1,
  [CircuitState.Open]: 2,
  [CircuitState.Isolated]: 2,
};

interface Circuit {
  readonly policy: CircuitBreakerPolicy;
  /** Whether the last reported outcome was a failure. Otherwise a success need not be reported. */
  isFailing: boolean;
  /** By Date.now(), as the library counts. */
  openedAt: number;
}

type HealthListener = (endpoint: CatalogueEndpoint, isHealthy: boolean) => void;

/** Calls an endpoint. `lasts` takes the end of a response that has only begun when the work resolves. */
type EndpointWork<T> = (lasts: (end: Promise<void>) => void) => Promise<T>;

/**
 * A circuit breaker for every endpoint: it opens after consecutive connection failures, timeouts and 5xx; after a pause
 * one call probes the endpoint. Errors of callers and credentials do not count.
 */
@Injectable()
export class EndpointHealth {
  readonly #log = new Logger(EndpointHealth.name);
  readonly #circuits = new Map<string, Circuit>();
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
    metrics.add('breakers', () => [this.#family(), this.#refusals.family()]);
  }

  /** Calls the listener each time an endpoint is found unhealthy, and when it is healthy again. */
  onChange(listener: HealthListener): void {
    this.#listeners.push(listener);
  }

  /** Whether the endpoint can be called now. `address`: of the credential; undefined = the provider's. */
  isCallable(endpoint: CatalogueEndpoint, address?: string): boolean {
    const circuit = this.#circuits.get(nameAt(endpoint, address));
    if (!circuit || circuit.policy.state === CircuitState.Closed) return true;
    // While one call probes a half-open circuit, others do not wait for its outcome.
    return (
      circuit.policy.state === CircuitState.Open && Date.now() - circuit.openedAt >= this.config.values.BREAKER_PAUSE_MS
    );
  }

  /** Throws EndpointUnhealthy, as `refusal` makes it. */
  assertCallable(endpoint: CatalogueEndpoint, address?: string): void {
    if (!this.isCallable(endpoint, address)) throw this.refusal([endpoint]);
  }

  /**
   * Counts a call that was refused because none of these endpoints, at least one, can be called. Retry-After is the
   * rest of the pause that ends first, in seconds.
   */
  refusal(endpoints: readonly CatalogueEndpoint[]): EndpointUnhealthy {
    const { capability, providerName } = endpoints[0]!;
    this.#refusals.count(capability);
    const leftMs = Math.min(...endpoints.map((endpoint) => this.#pauseLeftMs(endpoint)));
    const seconds = retryAfterSeconds(leftMs);
    return new EndpointUnhealthy(unavailableKind(capability), UNHEALTHY_MESSAGE, {
      headers: { 'Retry-After': String(seconds) },
      facts: { provider: providerName },
    });
  }

  #pauseLeftMs(endpoint: CatalogueEndpoint): number {
    const openedAt = this.#circuits.get(nameOfEndpoint(endpoint))?.openedAt ?? 0;
    return openedAt + this.config.values.BREAKER_PAUSE_MS - Date.now();
  }

  /** Does the work and reports its outcome; the outcome of a response that has only begun is how it ends. */
  watch<T>(endpoint: CatalogueEndpoint, work: EndpointWork<T>, address?: string): Promise<T> {
    this.assertCallable(endpoint, address);
    const circuit = this.#circuits.get(nameAt(endpoint, address));
    return !circuit || circuit.policy.state === CircuitState.Closed
      ? this.#callDirectly(endpoint, address, work)
      : this.#probe(circuit.policy, work);
  }

  /** While the circuit is closed, call directly and only report the outcome; a success matters only after a failure. */
  #callDirectly<T>(endpoint: CatalogueEndpoint, address: string | undefined, work: EndpointWork<T>): Promise<T> {
    let rest: Promise<void> | undefined;
    const succeeded = (): void => {
      const circuit = this.#circuits.get(nameAt(endpoint, address));
      if (circuit?.isFailing) report(circuit, undefined);
    };
    const failed = (error: unknown): void => {
      if (isOutage(error)) report(this.#circuitOf(endpoint, address), error);
    };
    const begun = work((end) => void (rest = end));
    begun.then(() => (rest ? rest.then(succeeded, failed) : succeeded()), failed);
    return begun;
  }

  #probe<T>(policy: CircuitBreakerPolicy, work: EndpointWork<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let rest: Promise<void> | undefined;
      const watched = async (): Promise<void> => {
        resolve(await work((end) => void (rest = end)));
        // A long response to the probe does not keep other calls waiting for more than a pause.
        await (rest && Promise.race([rest, this.#pause()]));
      };
      policy.execute(watched).catch(reject);
    });
  }

  /** The endpoints that are not closed first, so that the limit leaves out none of them. */
  #family(): MetricFamily {
    const states = [...this.#circuits].map(([endpoint, { policy }]) => ({
      endpoint,
      value: STATE_VALUE[policy.state],
    }));
    const worst = states.sort((a, b) => b.value - a.value).slice(0, MAX_REPORTED);
    return {
      type: 'gauge',
      name: 'gatehouse_breaker_state',
      help: 'Circuit breakers of endpoints that have failed: 0 closed, 1 half open, 2 open.',
      ofProcesses: 'highest',
      samples: worst.map(({ endpoint, value }) => ({ labels: { endpoint }, value })),
    };
  }

  #pause(): Promise<void> {
    return sleep(this.config.values.BREAKER_PAUSE_MS, undefined, { ref: false });
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
    // A probe whose caller left is inconclusive, and must not count as the success that closes a half-open circuit.
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
      this.#log.warn(`Endpoint ${name} is unhealthy and left alone for ${pauseMs} ms${last}`);
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

/** Reports the outcome of a call that began while the circuit was closed; ignored once the circuit is open. */
function report(circuit: Circuit, failure: GatewayError | undefined): void {
  if (circuit.policy.state !== CircuitState.Closed) return;
  circuit.isFailing = failure !== undefined;
  const ended = (): void => {
    if (failure) throw failure;
  };
  circuit.policy.execute(ended).catch(() => undefined);
}

/** Timeouts, overload (503, 529), and what providers/wire marks: other 5xx and broken connections. */
export const isOutage = (error: unknown): error is GatewayError => error instanceof GatewayError && error.outage;
