import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { RateCounters, type RateCount, type RateRule } from '../../rate-counters.port.js';
import { MemoryRateCounters, refusalOrError, toRateCount } from './memory-rate-counters.driver.js';

/** Redis responses slower than this are ignored, so that rate limiting cannot delay requests. */
const RESPONSE_TIMEOUT_MS = 250;
/** After a command failed on an open connection (a hung Redis), the pause before the next one. */
const PAUSE_MS = 1_000;
const RECONNECT_MS = 500;

/**
 * Counts in Redis, shared by all replicas. Every request is also counted in this process, so that limits continue from
 * this replica's count when Redis goes away.
 */
export class RedisRateCounters extends RateCounters {
  readonly #log = new Logger('RateLimits');
  readonly #local = new MemoryRateCounters();
  readonly #limiters = new Map<string, RateLimiterRedis>();
  readonly #redis: Redis;
  #away = false;
  #notBefore = 0;
  readonly #onClose = (): void => this.#lost(new Error('the connection was closed'));

  constructor(url: string) {
    super();
    this.#redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: RESPONSE_TIMEOUT_MS,
      connectTimeout: 5_000,
      disconnectTimeout: 100,
      retryStrategy: () => RECONNECT_MS,
    });
    // Without a listener, ioredis prints every failed attempt.
    this.#redis.on('error', (error: Error) => this.#lost(error));
    // The next error may be half a second away; by then many requests would have been counted separately.
    this.#redis.on('close', this.#onClose);
    this.#redis.on('ready', () => (this.#notBefore = 0));
  }

  async count(rule: RateRule, who: string): Promise<RateCount> {
    const local = await this.#local.count(rule, who);
    if (this.#redis.status !== 'ready' || performance.now() < this.#notBefore) return local;
    try {
      const shared = toRateCount(await this.#limiter(rule).consume(who).catch(refusalOrError), rule);
      if (this.#away) this.#log.log('Redis is back: rate limits are counted over all replicas again');
      this.#away = false;
      return shared;
    } catch (error) {
      this.#notBefore = performance.now() + PAUSE_MS;
      this.#lost(error as Error);
      return local;
    }
  }

  close(): void {
    this.#redis.off('close', this.#onClose);
    this.#redis.disconnect();
    this.#local.close();
  }

  #limiter(rule: RateRule): RateLimiterRedis {
    let limiter = this.#limiters.get(rule.name);
    if (!limiter) {
      limiter = new RateLimiterRedis({
        storeClient: this.#redis,
        keyPrefix: `gatehouse:rate:${rule.name}`,
        points: rule.points,
        duration: rule.seconds,
      });
      this.#limiters.set(rule.name, limiter);
    }
    return limiter;
  }

  /** Logs one warning per outage of Redis. */
  #lost(error: Error): void {
    if (this.#away) return;
    this.#away = true;
    this.#log.warn(`Redis is away: each replica counts rate limits by itself until it is back (${error.message})`);
  }
}
