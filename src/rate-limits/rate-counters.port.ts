import type { RateLimit } from '../config/rate-limit-variables.js';

/** A rate limit. A caller has one count per rule name. */
export interface RateRule extends RateLimit {
  readonly name: string;
}

/** The state of a caller's count after one more request. */
export interface RateCount {
  readonly allowed: boolean;
  /** Requests left before the reset. */
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetInMs: number;
}

/** Sent by a worker to its supervisor, which counts the request for all workers. */
export interface CountRequest {
  readonly rule: RateRule;
  readonly who: string;
}

/** Counts requests in fixed windows that begin with a caller's first request. Never rejects. */
export abstract class RateCounters {
  abstract count(rule: RateRule, who: string): Promise<RateCount>;
}
