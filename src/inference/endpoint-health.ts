import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhen, type CircuitBreakerPolicy } from 'cockatiel';
import type { Capability, CatalogueEndpoint } from '../catalogue/catalogue-model.js';
import { Config } from '../config/config.js';
import { GatewayError, type ErrorKind } from '../kernel/errors.js';

/** What the caller is told where no endpoint can be called for now (wire-notes section 12). */
export const NONE_CALLABLE: Readonly<Partial<Record<Capability, ErrorKind>>> = {
  image: 'provider_failed',
  speech: 'unavailable',
};

const names = new WeakMap<CatalogueEndpoint, string>();

/** What logs call an endpoint, and what outlives the catalogue's snapshots as its identity. */
export function nameOfEndpoint(endpoint: CatalogueEndpoint): string {
  let name = names.get(endpoint);
  if (name === undefined) {
    const { provider, tag, upstreamModel, capability } = endpoint;
    names.set(
      endpoint,
      (name = `${tag === provider ? provider : `${provider} (${tag})`} ${upstreamModel} ${capability}`),
    );
  }
  return name;
}

interface Circuit {
  readonly policy: CircuitBreakerPolicy;
  /** Whether the last that it counted was a failure. Otherwise there is nothing that a success would change. */
  isFailing: boolean;
  /** Of Date.now(), as the library counts. */
  openedAt: number;
}

/**
 * A circuit breaker for every endpoint: after a row of connection failures, timeouts and 5xx it is left alone for a while,
 * then one call tries it again. What a caller or a credential got wrong says nothing about an endpoint.
 */
@Injectable()
export class EndpointHealth {
  readonly #log = new Logger(EndpointHealth.name);
  readonly #circuits = new Map<string, Circuit>();

  constructor(private readonly config: Config) {}

  /** Whether a call may go there now. */
  isCallable(endpoint: CatalogueEndpoint): boolean {
    const circuit = this.#circuits.get(nameOfEndpoint(endpoint));
    if (!circuit || circuit.policy.state === CircuitState.Closed) return true;
    // While one call tries a half-open circuit, the others do not wait for its outcome.
    return (
      circuit.policy.state === CircuitState.Open && Date.now() - circuit.openedAt >= this.config.values.BREAKER_PAUSE_MS
    );
  }

  /**
   * Does the work at the endpoint and takes note of how it went. What the work hands to `lasts` is how its answer, which has
   * only begun when the work resolves, ends: that decides then.
   */
  watch<T>(endpoint: CatalogueEndpoint, work: (lasts: (end: Promise<void>) => void) => Promise<T>): Promise<T> {
    if (!this.isCallable(endpoint))
      throw new GatewayError(NONE_CALLABLE[endpoint.capability] ?? 'unavailable', RESTING);
    const circuit = this.#circuits.get(nameOfEndpoint(endpoint));
    return !circuit || circuit.policy.state === CircuitState.Closed
      ? this.#countAfterwards(endpoint, work)
      : this.#tryAgain(circuit.policy, work);
  }

  /** A closed circuit stands in nobody's way: it only has to hear how calls end, and of successes only after a failure. */
  #countAfterwards<T>(
    endpoint: CatalogueEndpoint,
    work: (lasts: (end: Promise<void>) => void) => Promise<T>,
  ): Promise<T> {
    let rest: Promise<void> | undefined;
    const succeeded = (): void => {
      const circuit = this.#circuits.get(nameOfEndpoint(endpoint));
      if (circuit?.isFailing) count(circuit, undefined);
    };
    const failed = (error: unknown): void => {
      if (isOutage(error)) count(this.#circuitOf(endpoint), error);
    };
    const begun = work((end) => void (rest = end));
    begun.then(() => (rest ? rest.then(succeeded, failed) : succeeded()), failed);
    return begun;
  }

  #tryAgain<T>(policy: CircuitBreakerPolicy, work: (lasts: (end: Promise<void>) => void) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let rest: Promise<void> | undefined;
      const watched = async (): Promise<void> => {
        resolve(await work((end) => void (rest = end)));
        // A long answer to the one call that tries the endpoint again must not keep the others from it.
        await (rest && Promise.race([rest, this.#pause()]));
      };
      policy.execute(watched).catch(reject);
    });
  }

  #pause(): Promise<void> {
    return sleep(this.config.values.BREAKER_PAUSE_MS, undefined, { ref: false });
  }

  #circuitOf(endpoint: CatalogueEndpoint): Circuit {
    const name = nameOfEndpoint(endpoint);
    let circuit = this.#circuits.get(name);
    if (!circuit) {
      circuit = this.#newCircuit(name);
      this.#circuits.set(name, circuit);
    }
    return circuit;
  }

  #newCircuit(name: string): Circuit {
    const { BREAKER_FAILURES: failures, BREAKER_PAUSE_MS: pauseMs } = this.config.values;
    // A call that its caller left says nothing, but must not pass for the success that closes a half-open circuit.
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
    });
    policy.onHalfOpen(() => this.#log.log(`Endpoint ${name} is tried again`));
    policy.onReset(() => this.#log.log(`Endpoint ${name} is healthy again`));
    return circuit;
  }
}

/** Tells a circuit how a call ended that began while it was closed; once it is open, that says nothing new. */
function count(circuit: Circuit, failure: GatewayError | undefined): void {
  if (circuit.policy.state !== CircuitState.Closed) return;
  circuit.isFailing = failure !== undefined;
  const ended = (): void => {
    if (failure) throw failure;
  };
  circuit.policy.execute(ended).catch(() => undefined);
}

export const RESTING = 'No endpoint of this model is healthy at present. Try again in some seconds.';

/** Timeouts, overload (503, 529), and what the wire marks: other 5xx and broken connections. */
const isOutage = (error: unknown): error is GatewayError => error instanceof GatewayError && error.outage;
