import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { Config } from '../config/config.js';
import { Clock } from '../kernel/clock.js';
import { callerAddress } from './rate-limits/caller-address.js';
import { RateCounters, type RateRule } from '../rate-limits/rate-counters.port.js';
import { rateLimited } from '../rate-limits/rate-limit.errors.js';

/**
 * Limits, for each IP address, the failed sign-ins and the sign-ins that are started at an identity provider. A valid
 * code or key is accepted even above the limit, because it has at least 128 random bits and cannot be guessed. Users
 * behind one address therefore cannot lock each other out.
 */
@Injectable()
export class SignInLimit {
  readonly #rule: RateRule | null;
  readonly #starts: RateRule | null;

  constructor(
    private readonly counters: RateCounters,
    private readonly clock: Clock,
    { values }: Config,
  ) {
    const rule = values.RATE_LIMIT_SIGN_IN;
    this.#rule = rule && { ...rule, name: 'sign-in' };
    this.#starts = rule && { ...rule, name: 'sign-in-start' };
  }

  /** Counts one more failure. Throws a 429 above the limit. */
  countFailure(request: IncomingMessage): Promise<void> {
    return this.#count(this.#rule, request, 'Too many failed attempts to sign in from this address');
  }

  /**
   * Counts one more sign-in that is started at an identity provider. Each start inserts a row into `sign_in_attempt`.
   * Throws a 429 above the limit.
   */
  countStart(request: IncomingMessage): Promise<void> {
    return this.#count(this.#starts, request, 'Too many sign-ins were started from this address');
  }

  async #count(rule: RateRule | null, request: IncomingMessage, message: string): Promise<void> {
    if (!rule) return;
    const count = await this.counters.count(rule, callerAddress(request));
    if (!count.allowed) throw rateLimited(message, rule, count, this.clock.now());
  }
}
