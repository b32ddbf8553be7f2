import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Notifications } from '../../database/notifications.js';
import { Periodic } from '../../kernel/scheduling/periodic.js';
import { RuntimeDriver } from '../../runtimes/runtime.driver.js';
import { CreationClaims } from '../creation-claims.js';
import { InternRows } from '../intern-rows.js';
import { HeldInterns } from './held-interns.js';
import { InternWork } from './intern-work.js';

const POLL_EVERY_MS = 1_000;
/**
 * The interval of a replica that runs no interns. Such a replica takes only interns that are past their deadline, to
 * record their expiry.
 */
const OVERDUE_POLL_EVERY_MS = 10_000;
const PURGE_EVERY_MS = 600_000;
/**
 * Maximum number of interns that boot or are torn down at the same time on this replica. Running interns do not count.
 */
const MAX_CONCURRENT = 8;

/** Takes due interns from the queue while the service runs, and releases its interns at shutdown. */
@Injectable()
export class Provisioner implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger('interns');
  readonly #busy = new Set<Promise<void>>();
  readonly #polls = new Periodic(
    () => this.#takeDue(),
    (error) => this.#warn('look for interns to work on', error),
  );
  readonly #purges = new Periodic(
    () => this.claims.purge(),
    (error) => this.#warn('delete old records of creations', error),
  );

  constructor(
    private readonly rows: InternRows,
    private readonly held: HeldInterns,
    private readonly work: InternWork,
    private readonly driver: RuntimeDriver,
    private readonly claims: CreationClaims,
    notifications: Notifications,
  ) {
    if (!driver.runs) return;
    notifications.on('intern_work', () => this.poll());
    notifications.onGap(() => this.poll());
  }

  onApplicationBootstrap(): void {
    this.held.start();
    this.#polls.start(this.driver.runs ? POLL_EVERY_MS : OVERDUE_POLL_EVERY_MS);
    this.#purges.start(PURGE_EVERY_MS);
  }

  /** Stops polling the queue. Resolves when the current poll has completed. */
  stopPolling(): Promise<void> {
    return this.#polls.stop();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.stopPolling(), this.#purges.stop()]);
    await this.held.stop();
    await this.work.releaseAll();
    await Promise.all(this.#busy);
  }

  /** Polls the queue now, or again after the current poll. */
  poll(): void {
    void this.#polls.trigger();
  }

  async #takeDue(): Promise<void> {
    const free = MAX_CONCURRENT - this.#busy.size;
    if (free <= 0) return;
    const requestedAt = Date.now();
    for (const job of await this.rows.take(free, !this.driver.runs)) {
      const done = this.work.run(this.held.add(job, requestedAt)).finally(() => {
        this.#busy.delete(done);
        this.poll();
      });
      this.#busy.add(done);
    }
  }

  #warn(what: string, { message }: Error): void {
    this.#log.warn(`cannot ${what}, and will try again: ${message}`);
  }
}
