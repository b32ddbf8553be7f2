import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { Config } from '../config/config.js';
import { Clock } from '../kernel/clock.js';
import { unauthenticated, type GatewayError } from '../kernel/errors.js';
import { callerAddress } from './caller-address.js';
import { RateCounters, type RateRule } from './rate-counters.port.js';
import { rateLimited } from './rate-limit.errors.js';

/** Slows an address that tries key after key. Only unknown keys count, and valid ones pass whatever was counted. */
@Injectable()
export class FailedKeys {
  readonly #rule: RateRule | null;

  constructor(
    private readonly counters: RateCounters,
    private readonly clock: Clock,
    { values }: Config,
  ) {
    this.#rule = values.RATE_LIMIT_FAILED_KEYS && { ...values.RATE_LIMIT_FAILED_KEYS, name: 'failed-keys' };
  }

  /** What to answer to one more unknown key. */
  async refusal(request: IncomingMessage): Promise<GatewayError> {
    const invalid = unauthenticated('Invalid API key');
    if (!this.#rule) return invalid;
    const count = await this.counters.count(this.#rule, callerAddress(request));
    return count.allowed
      ? invalid
      : rateLimited('Too many requests with unknown API keys from this address', this.#rule, count, this.clock.now());
  }
}
