import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { RateCounters, type RateCount, type RateRule } from '../rate-counters.port.js';
import { MemoryRateCounters, refusalOrError, toRateCount } from './memory-rate-counters.driver.js';

/** An answer that takes longer counts as none: a limit must not slow what it limits. */
const ANSWER_WITHIN_MS = 250;
/** After a command failed on an open connection, such as a Redis that hangs, the next is tried so much later. */
const PAUSE_MS = 1_000;
const RECONNECT_MS = 500;

/**
 * Counts in Redis, together with all replicas. Every request is counted in this process too, so that when Redis goes
 * away the limits go on from what this replica has seen, not from zero.
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
      commandTimeout: ANSWER_WITHIN_MS,
      connectTimeout: 5_000,
      disconnectTimeout: 100,
      retryStrategy: () => RECONNECT_MS,
    });
    // Without a listener the client prints each failed attempt itself.
    this.#redis.on('error', (error: Error) => this.#lost(error));
    // The next error may be half a second away, and by then many requests have been counted apart.
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

  /** One warning for each time that Redis goes away, however many requests notice. */
  #lost(error: Error): void {
    if (this.#away) return;
    this.#away = true;
    this.#log.warn(`Redis is away: each replica counts rate limits by itself until it is back (${error.message})`);
  }
}
