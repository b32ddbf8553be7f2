import { RateLimiterRedis } from 'rate-limiter-flexible';
import { RateCounters, type RateCount, type RateRule } from '../rate-counters.port.js';
import { MemoryRateCounters, refusalOrError, toRateCount } from './memory-rate-counters.driver.js';
import type { RedisConnection } from './redis-connection.driver.js';

/**
 * Counts in Redis, shared by all replicas. Every request is also counted in this process, so that limits continue from
 * the counts of this process if Redis becomes unavailable.
 */
export class RedisRateCounters extends RateCounters {
  readonly #local = new MemoryRateCounters();
  readonly #limiters = new Map<string, RateLimiterRedis>();

  constructor(private readonly redis: RedisConnection) {
    super();
  }

  async count(rule: RateRule, who: string): Promise<RateCount> {
    const local = await this.#local.count(rule, who);
    const shared = await this.redis.run(() => this.#limiter(rule).consume(who).catch(refusalOrError));
    return shared ? toRateCount(shared, rule) : local;
  }

  #limiter(rule: RateRule): RateLimiterRedis {
    let limiter = this.#limiters.get(rule.name);
    if (!limiter) {
      limiter = new RateLimiterRedis({
        storeClient: this.redis.client,
        keyPrefix: `gatehouse:rate:${rule.name}`,
        points: rule.points,
        duration: rule.seconds,
      });
      this.#limiters.set(rule.name, limiter);
    }
    return limiter;
  }
}
