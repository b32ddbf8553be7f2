import { Logger } from '@nestjs/common';
import type { Cluster, Redis } from 'ioredis';
import { connectRedis, RECONNECT_MS } from './redis-client.driver.js';

/** The pause before the next command after a command failed on an open connection, for example because Redis hangs. */
const PAUSE_MS = 1_000;

/** The connection of the counters to the Redis that all replicas share. */
export class RedisConnection {
  readonly client: Redis | Cluster;
  readonly #log = new Logger('RateLimits');
  #isUnavailable = false;
  #notBefore = 0;
  #reconnect: NodeJS.Timeout | undefined;
  readonly #onClose = (): void => this.#lost(new Error('the connection was closed'));
  /** ioredis stops reconnecting if Sentinels report a failover while it connects. */
  readonly #onEnd = (): void => {
    this.#reconnect = setTimeout(() => void this.client.connect().catch(() => undefined), RECONNECT_MS).unref();
  };

  constructor(url: string) {
    this.client = connectRedis(url);
    // Without a listener, ioredis prints every failed attempt.
    this.client.on('error', (error: Error) => this.#lost(error));
    // After a close, the next error event can be half a second later. Without this listener, the requests in between
    // would be counted per process without a warning.
    this.client.on('close', this.#onClose);
    this.client.on('end', this.#onEnd);
    this.client.on('ready', () => (this.#notBefore = 0));
  }

  /** The result of the command; undefined while Redis is not available or does not respond in time. */
  async run<T>(command: () => Promise<T>): Promise<T | undefined> {
    if (this.client.status !== 'ready' || performance.now() < this.#notBefore) return undefined;
    try {
      const result = await command();
      if (this.#isUnavailable) this.#log.log('Redis is available again: rate limits are counted over all replicas');
      this.#isUnavailable = false;
      return result;
    } catch (error) {
      this.#notBefore = performance.now() + PAUSE_MS;
      this.#lost(error as Error);
      return undefined;
    }
  }

  close(): void {
    this.client.off('close', this.#onClose);
    this.client.off('end', this.#onEnd);
    clearTimeout(this.#reconnect);
    this.client.disconnect();
  }

  /** Logs one warning per outage of Redis. */
  #lost(error: Error): void {
    if (this.#isUnavailable) return;
    this.#isUnavailable = true;
    this.#log.warn(`Redis is not available: until it is, each replica counts rate limits by itself (${error.message})`);
  }
}
