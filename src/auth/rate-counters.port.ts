import type { RateLimit } from '../config/rate-limit-variables.js';

/** A limit under a name of its own: the same caller has one count per rule. */
export interface RateRule extends RateLimit {
  readonly name: string;
}

/** Where a caller stands after one more request. */
export interface RateCount {
  readonly allowed: boolean;
  /** How many more are allowed before the reset. */
  readonly remaining: number;
  /** Milliseconds until the count starts anew. */
  readonly resetInMs: number;
}

/** Counts requests in fixed windows that begin with a caller's first one. Never fails. */
export abstract class RateCounters {
  abstract count(rule: RateRule, who: string): Promise<RateCount>;
  abstract close(): void;
}
