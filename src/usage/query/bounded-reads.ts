import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { GatewayError } from '../../kernel/errors/errors.js';
import { Semaphore } from '../../kernel/scheduling/semaphore.js';

/** Runs at most ANALYTICS_CONCURRENCY reads of the usage records at a time, each within ANALYTICS_TIMEOUT_MS. */
@Injectable()
export class BoundedReads {
  readonly #permits: Semaphore;

  constructor(private readonly config: Config) {
    this.#permits = new Semaphore(config.values.ANALYTICS_CONCURRENCY);
  }

  /**
   * Throws deadline_exceeded after the timeout, which includes the wait for a permit. The signal then cancels the work
   * of the store. `prepare` runs first, without a permit. If it returns a result, nothing is read.
   */
  async run<T>(
    caller: AbortSignal,
    read: (signal: AbortSignal) => Promise<T>,
    prepare?: () => Promise<T | undefined>,
  ): Promise<T> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(this.#deadlineExceeded()), this.config.values.ANALYTICS_TIMEOUT_MS);
    try {
      const signal = AbortSignal.any([caller, deadline.signal]);
      return (await prepare?.()) ?? (await this.#permits.run(signal, () => read(signal)));
    } finally {
      clearTimeout(timer);
    }
  }

  #deadlineExceeded(): GatewayError {
    return new GatewayError(
      'deadline_exceeded',
      `Operation timed out after ${this.config.values.ANALYTICS_TIMEOUT_MS / 1000}s. Please try again later.`,
    );
  }
}
