import type { CatalogueEndpoint } from '../../catalogue/catalogue-model.js';
import type { AttemptReport, FailureReason } from '../../kernel/call-facts.js';
import type { SeededRandom } from './seeded-random.js';

export interface DemoOutcome {
  /** How the call ended. `left`: the caller disconnected before the end of the stream, and is billed. */
  readonly end: 'served' | 'left' | 'failed';
  /** The status of the response. */
  readonly status: number;
  /** The failed attempts, then the attempt that responded, if any. */
  readonly attempts: readonly AttemptReport[];
  /** The endpoint of the last attempt. */
  readonly endpoint: CatalogueEndpoint;
}

interface DemoFailure {
  readonly status: number;
  readonly reason: FailureReason;
  readonly afterMs: readonly [number, number];
  readonly fallsBack: boolean;
}

const failure = (
  status: number,
  code: string,
  message: string,
  afterMs: readonly [number, number],
  fallsBack = true,
): DemoFailure => ({ status, reason: { code, message }, afterMs, fallsBack });

/** Failures of vendors, with the same messages as in providers/wire. */
const FAILURES = {
  overloaded: failure(529, 'provider_overloaded', 'The provider is overloaded. Try again later.', [300, 2_600]),
  limited: failure(429, 'rate_limited', 'The provider limits the rate of requests. Try again later.', [60, 260]),
  failed: failure(502, 'provider_failed', 'The provider failed to answer this request', [200, 5_000]),
  silent: failure(524, 'provider_timeout', 'The provider took too long to respond', [60_000, 60_400]),
  invalid: failure(
    400,
    'invalid_request',
    'The provider refused the request; its own message went to the caller and is not recorded',
    [70, 240],
    false,
  ),
} as const;

/** The share of calls with each failure on an ordinary day. */
const RATES = [
  [FAILURES.limited, 0.011],
  [FAILURES.failed, 0.0022],
  [FAILURES.silent, 0.0008],
  [FAILURES.invalid, 0.0045],
] as const;
const LEFT = 0.007;

interface OutcomeRequest {
  readonly endpoints: readonly CatalogueEndpoint[];
  readonly isOutage: boolean;
  readonly mayFallBack: boolean;
  readonly isStreamed: boolean;
  /** The latency of the provider that responds. */
  readonly latencyMs: number;
}

export function drawOutcome(random: SeededRandom, request: OutcomeRequest): DemoOutcome {
  const { endpoints, isOutage, mayFallBack, isStreamed, latencyMs } = request;
  const [first, second] = endpoints as [CatalogueEndpoint, CatalogueEndpoint?];
  const served = (endpoint: CatalogueEndpoint, failed: readonly AttemptReport[]): DemoOutcome => ({
    end: isStreamed && random.chance(LEFT) ? 'left' : 'served',
    status: 200,
    attempts: [...failed, { provider: endpoint.providerName, status: 200, latencyMs }],
    endpoint,
  });
  const drawn = isOutage ? FAILURES.overloaded : drawFailure(random);
  // A model that runs in this process does not fail.
  if (!drawn || !first.needsCredential) return served(first, []);
  const failed = { provider: first.providerName, status: drawn.status, latencyMs: random.between(...drawn.afterMs) };
  const attempts = [{ ...failed, failure: drawn.reason }];
  if (second && drawn.fallsBack && mayFallBack) return served(second, attempts);
  return { end: 'failed', status: drawn.status, attempts, endpoint: first };
}

function drawFailure(random: SeededRandom): DemoFailure | undefined {
  let drawn = random.next();
  return RATES.find(([, rate]) => (drawn -= rate) < 0)?.[0];
}
