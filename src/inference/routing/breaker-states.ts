import { CircuitState, type CircuitBreakerPolicy } from 'cockatiel';
import type { MetricFamily } from '../../telemetry/metric-family.js';
import type { CalledEndpoint } from './endpoint-calls.js';

export interface Circuit {
  readonly policy: CircuitBreakerPolicy;
  /** Whether the last reported outcome was a failure. If not, a success need not be reported. */
  isFailing: boolean;
  /** Unix milliseconds, as in the library. */
  openedAt: number;
}

/** Maximum number of endpoints whose breaker is reported in the metrics. */
const MAX_REPORTED = 50;
const STATE_VALUE: Readonly<Record<CircuitState, number>> = {
  [CircuitState.Closed]: 0,
  [CircuitState.HalfOpen]: 1,
  [CircuitState.Open]: 2,
  [CircuitState.Isolated]: 2,
};
const STATE_NAME = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.HalfOpen]: 'half_open',
  [CircuitState.Open]: 'open',
  [CircuitState.Isolated]: 'open',
} as const;

type BreakerState = (typeof STATE_NAME)[CircuitState];

/** An endpoint that was called, with its breaker. Times are Unix milliseconds. */
export interface EndpointReport extends Omit<CalledEndpoint, 'hour'> {
  readonly name: string;
  readonly state: BreakerState;
  /** The last time at which the breaker opened; null if it is closed. */
  readonly openedAt: number | null;
  /** Successful calls and outages in the last hour. */
  readonly requests: number;
  /** Outages in the last hour. */
  readonly errors: number;
}

export function endpointReport(
  name: string,
  { hour, ...called }: CalledEndpoint,
  circuit: Circuit | undefined,
): EndpointReport {
  const state = STATE_NAME[circuit?.policy.state ?? CircuitState.Closed];
  const openedAt = circuit && state !== 'closed' ? circuit.openedAt : null;
  return { name, ...called, ...hour.sums(), state, openedAt };
}

/** Endpoints whose breaker is not closed come first, so that MAX_REPORTED omits closed breakers first. */
export function breakerFamily(circuits: Iterable<readonly [endpoint: string, Circuit]>): MetricFamily {
  const states = Array.from(circuits, ([endpoint, { policy }]) => ({ endpoint, value: STATE_VALUE[policy.state] }));
  const worst = states.sort((a, b) => b.value - a.value).slice(0, MAX_REPORTED);
  return {
    type: 'gauge',
    name: 'gatehouse_breaker_state',
    help: 'Circuit breakers of endpoints that have failed: 0 closed, 1 half open, 2 open.',
    ofProcesses: 'highest',
    samples: worst.map(({ endpoint, value }) => ({ labels: { endpoint }, value })),
  };
}
