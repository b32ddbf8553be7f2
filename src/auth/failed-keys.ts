import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { Config } from '../config/config.js';
import { atMostEntries } from '../kernel/cache-options.js';
import { Clock } from '../kernel/clock.js';
import { unauthenticated, type GatewayError } from '../kernel/errors/errors.js';
import { LRUCache } from 'lru-cache';
import { callerAddress } from './rate-limits/caller-address.js';
import { IssuedKeys } from './keys/issued-keys.js';
import { RateCounters, type RateRule } from '../rate-limits/rate-counters.port.js';
import { rateLimited } from '../rate-limits/rate-limit.errors.js';

/** Maximum number of throttled addresses. An evicted address is throttled again when it sends an unknown key. */
const MAX_THROTTLED = 50_000;

/** Throttles addresses that send many unknown keys. Valid keys are accepted even from a throttled address. */
@Injectable()
export class FailedKeys {
  readonly #rule: RateRule | null;
  /** When the throttling of each address ends, in milliseconds since 1970 by Clock.now(). */
  readonly #throttled = new LRUCache<string, number>(atMostEntries(MAX_THROTTLED));

  constructor(
    private readonly counters: RateCounters,
    private readonly clock: Clock,
    private readonly issued: IssuedKeys,
    { values }: Config,
  ) {
    this.#rule = values.RATE_LIMIT_FAILED_KEYS && { ...values.RATE_LIMIT_FAILED_KEYS, name: 'failed-keys' };
  }

  /** Whether the address is throttled and the key certainly does not exist, so that no lookup is needed. */
  certainlyUnknown(request: IncomingMessage, hash: string): boolean {
    const until = this.#throttled.size === 0 ? undefined : this.#throttled.get(callerAddress(request));
    return until !== undefined && until > this.clock.now().getTime() && !this.issued.mayExist(hash);
  }

  /** Counts a request with an unknown key. Returns the refusal: a 401, or a 429 above the limit. */
  async refusal(request: IncomingMessage): Promise<GatewayError> {
    const invalid = unauthenticated('Invalid API key');
    if (!this.#rule) return invalid;
    const address = callerAddress(request);
    const count = await this.counters.count(this.#rule, address);
    if (!count.allowed) this.#throttled.set(address, this.clock.now().getTime() + count.resetInMs);
    return count.allowed
      ? invalid
      : rateLimited('Too many requests with unknown API keys from this address', this.#rule, count, this.clock.now());
  }
}
