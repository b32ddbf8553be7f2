import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ProcessRole } from '../config/process-role.js';
import { Clock } from '../kernel/clock.js';
import { Periodic } from '../kernel/scheduling/periodic.js';
import { Ledger } from './ledger/ledger.js';

const INTERVAL_MS = 5_000;
const BATCH = 500;
/** How long closed reservations are kept, so that repeated settlements find them. */
const KEEP_CLOSED_MS = 3_600_000;

/**
 * Releases the reservations of services that died, and keeps the reservation table small. After a database outage, it
 * first waits until every service has had time to renew its leases. An outage that is longer than a lease therefore
 * loses no call.
 */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(Sweeper.name);
  readonly #sweeps = new Periodic(
    () => this.#sweep(),
    (error) => {
      if (this.#reachedAt > -Infinity)
        this.#log.warn(`The sweep of reservations failed and will be retried: ${error.message}`);
      this.#reachedAt = -Infinity;
    },
  );
  /** When the database was last reached, by performance.now(); -Infinity after a failed sweep. */
  #reachedAt = performance.now();
  /** When the current period without an outage began, by performance.now(). */
  #steadySince = performance.now();

  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly role: ProcessRole = new ProcessRole(),
  ) {}

  onApplicationBootstrap(): void {
    if (this.role.isWorker) return;
    this.#sweeps.start(INTERVAL_MS);
  }

  onModuleDestroy(): Promise<void> {
    return this.#sweeps.stop();
  }

  /** Runs one round. Never throws: the next round retries. */
  sweep(): Promise<void> {
    return this.#sweeps.trigger();
  }

  async #sweep(): Promise<void> {
    // Fails here if the database is unavailable, before the posts wait for it.
    await this.ledger.databaseTime();
    await this.#post();
    const databaseTime = await this.ledger.databaseTime();
    this.#noteContact();
    if (performance.now() - this.#steadySince < this.#graceMs) return;
    await this.#releaseOverdue(databaseTime);
    const before = new Date(this.clock.now().getTime() - KEEP_CLOSED_MS);
    while ((await this.ledger.forget(before, BATCH)) === BATCH);
  }

  /**
   * A failure does not end the round, because it may concern one account only. Runs before the time of the database is
   * read, because a locked account takes longer than a release may be delayed.
   */
  async #post(): Promise<void> {
    try {
      await this.ledger.postAll();
    } catch (error) {
      this.#log.warn(`Calls of the journal were not posted, which is retried: ${(error as Error).message}`);
    }
  }

  async #releaseOverdue(databaseTime: string): Promise<void> {
    for (let asOf = databaseTime; ; asOf = await this.ledger.databaseTime()) {
      const { swept, calls, unlisted } = await this.ledger.sweep(asOf, BATCH);
      if (swept > 0)
        this.#log.warn(
          `Released ${swept} reservations whose lease had expired: ${calls} calls of unknown outcome, ` +
            `${unlisted} of them without a record`,
        );
      if (swept < BATCH) return;
    }
  }

  /** The wait after an outage in milliseconds. It is longer than the interval between two renewals. */
  get #graceMs(): number {
    return this.ledger.leaseMs / 2;
  }

  #noteContact(): void {
    const now = performance.now();
    if (now - this.#reachedAt > INTERVAL_MS + this.#graceMs) this.#steadySince = now;
    this.#reachedAt = now;
  }
}
