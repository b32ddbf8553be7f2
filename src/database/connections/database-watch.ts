import { Logger } from '@nestjs/common';

/** Interval between log lines while the database is unavailable. */
const LOG_INTERVAL_MS = 10_000;

/**
 * Logs when the database becomes unavailable and when it responds again. Many failures give only one line in each
 * interval. The members are bound functions, because the ORM copies its options member by member.
 */
export class DatabaseWatch {
  readonly #log = new Logger('database');
  #failedSince: number | undefined;
  #loggedAt = Number.NEGATIVE_INFINITY;
  #hasLogged = false;
  #host: string | undefined;

  readonly failed = (error: Error): void => {
    const now = performance.now();
    this.#failedSince ??= now;
    if (now - this.#loggedAt < LOG_INTERVAL_MS) return;
    this.#loggedAt = now;
    this.#hasLogged = true;
    const seconds = Math.round((now - this.#failedSince) / 1000);
    this.#log.warn(seconds > 0 ? `Still failing after ${seconds} s: ${error.message}` : error.message);
  };

  /** Called with the name of the host to which a connection was opened, if the address lists several hosts. */
  readonly connected = (host: string): void => {
    if (this.#host !== undefined && this.#host !== host)
      this.#log.warn(`The database is now served by ${host} instead of ${this.#host}`);
    this.#host = host;
  };

  /** Called after every success, so it must be cheap while the database is available. */
  readonly succeeded = (): void => {
    if (this.#failedSince === undefined) return;
    const seconds = Math.round((performance.now() - this.#failedSince) / 1000);
    this.#failedSince = undefined;
    if (!this.#hasLogged) return;
    this.#hasLogged = false;
    this.#log.log(`The database responds again (after ${seconds} s)`);
  };
}
