import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';

/** Redis responses slower than this are ignored, so that rate limiting cannot delay requests. */
const RESPONSE_TIMEOUT_MS = 250;
/** After a command failed on an open connection (a hung Redis), the pause before the next one. */
const PAUSE_MS = 1_000;
const RECONNECT_MS = 500;

/** The connection of the counters to the Redis that all replicas share. */
export class RedisConnection {
  readonly client: Redis;
  readonly #log = new Logger('RateLimits');
  #away = false;
  #notBefore = 0;
  readonly #onClose = (): void => this.#lost(new Error('the connection was closed'));

  constructor(url: string) {
    this.client = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: RESPONSE_TIMEOUT_MS,
      connectTimeout: 5_000,
      disconnectTimeout: 100,
      retryStrategy: () => RECONNECT_MS,
    });
    // Without a listener, ioredis prints every failed attempt.
    this.client.on('error', (error: Error) => this.#lost(error));
    // The next error may be half a second away; by then many requests would have been counted separately.
    this.client.on('close', this.#onClose);
    this.client.on('ready', () => (this.#notBefore = 0));
  }

  /** The result of the command; undefined while Redis is away or does not respond in time. */
  async run<T>(command: () => Promise<T>): Promise<T | undefined> {
    if (this.client.status !== 'ready' || performance.now() < this.#notBefore) return undefined;
    try {
      const result = await command();
      if (this.#away) this.#log.log('Redis is back: rate limits are counted over all replicas again');
      this.#away = false;
      return result;
    } catch (error) {
      this.#notBefore = performance.now() + PAUSE_MS;
      this.#lost(error as Error);
      return undefined;
    }
  }

  close(): void {
    this.client.off('close', this.#onClose);
    this.client.disconnect();
  }

  /** Logs one warning per outage of Redis. */
  #lost(error: Error): void {
    if (this.#away) return;
    this.#away = true;
    this.#log.warn(`Redis is away: each replica counts rate limits by itself until it is back (${error.message})`);
  }
}
