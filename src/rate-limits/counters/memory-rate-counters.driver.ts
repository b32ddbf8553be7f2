import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { RateCounters, type RateCount, type RateRule } from '../rate-counters.port.js';

/** Counts in this process. */
export class MemoryRateCounters extends RateCounters {
  readonly #limiters = new Map<string, RateLimiterMemory>();

  async count(rule: RateRule, who: string): Promise<RateCount> {
    let limiter = this.#limiters.get(rule.name);
    if (!limiter) {
      limiter = new RateLimiterMemory({ keyPrefix: rule.name, points: rule.points, duration: rule.seconds });
      this.#limiters.set(rule.name, limiter);
    }
    return toRateCount(await limiter.consume(who).catch(refusalOrError), rule);
  }
}

/** rate-limiter-flexible signals a refusal by rejecting with its result, which is not an Error. */
export function refusalOrError(rejected: unknown): RateLimiterRes {
  if (rejected instanceof RateLimiterRes) return rejected;
  throw rejected instanceof Error ? rejected : new Error(String(rejected));
}

export const toRateCount = (result: RateLimiterRes, rule: RateRule): RateCount => ({
  allowed: result.consumedPoints <= rule.points,
  remaining: Math.max(0, rule.points - result.consumedPoints),
  resetInMs: Math.max(0, result.msBeforeNext),
});
