import { Injectable, Logger } from '@nestjs/common';
import { Notifications } from '../../database/notifications.js';
import { Periodic } from '../../kernel/scheduling/periodic.js';
import type { Runtime } from '../../runtimes/runtime.driver.js';
import type { Job } from '../intern-record.js';
import { InternRows } from '../intern-rows.js';

/** An intern whose lease this replica has. */
export interface HeldIntern {
  readonly job: Job;
  /** Aborted when this replica has lost the lease, or must release it. The runtime must then end. */
  readonly lost: AbortController;
  /**
   * The time at which a runtime must end, in Unix milliseconds of this machine's clock. It is before the end of the
   * lease.
   */
  until: number;
  /** Whether a runtime may exist, from an earlier boot or from a boot by this replica. */
  mayRun: boolean;
  runtime?: Runtime;
}

/** A runtime ends before its lease, by this share of the lease time, so that runtimes of an intern never overlap. */
const LEASE_MARGIN = 0.15;
const RENEWALS_PER_LEASE = 5;

/** The interns whose leases this replica has. Renews the leases, and aborts `lost` when one is lost. */
@Injectable()
export class HeldInterns {
  readonly #log = new Logger('interns');
  readonly #held = new Map<string, HeldIntern>();
  readonly #renewals = new Periodic(
    () => this.#renew(),
    (error) => this.#log.warn(`cannot renew the leases of interns: ${error.message}`),
  );

  constructor(
    private readonly rows: InternRows,
    notifications: Notifications,
  ) {
    notifications.on('intern_changed', (id) => {
      if (this.#held.has(id)) void this.#renewals.trigger();
    });
    notifications.onGap(() => void this.#renewals.trigger());
  }

  all(): HeldIntern[] {
    return [...this.#held.values()];
  }

  of(internId: string): HeldIntern | undefined {
    return this.#held.get(internId);
  }

  get count(): number {
    return this.#held.size;
  }

  start(): void {
    this.#renewals.start(this.rows.leaseMs / RENEWALS_PER_LEASE);
  }

  stop(): Promise<void> {
    return this.#renewals.stop();
  }

  /**
   * `requestedAt`: a time before the lease was requested, in Unix milliseconds. The lease began later, so it does not
   * end before `requestedAt` plus its duration.
   */
  add(job: Job, requestedAt: number): HeldIntern {
    const held: HeldIntern = {
      job,
      lost: new AbortController(),
      until: requestedAt + this.#lifetimeMs,
      mayRun: job.wasBooted,
    };
    this.#held.set(job.internId, held);
    return held;
  }

  remove({ job, lost }: HeldIntern): void {
    if (this.#held.get(job.internId)?.job.claim === job.claim) this.#held.delete(job.internId);
    lost.abort();
  }

  get #lifetimeMs(): number {
    return this.rows.leaseMs * (1 - LEASE_MARGIN);
  }

  async #renew(): Promise<void> {
    const held = this.all();
    if (held.length === 0) return;
    const requestedAt = Date.now();
    let renewed: ReadonlySet<string>;
    try {
      renewed = await this.rows.renew(held.map(({ job }) => job));
    } catch (error) {
      for (const intern of held) if (Date.now() >= intern.until) this.remove(intern);
      throw error;
    }
    for (const intern of held) {
      if (!renewed.has(intern.job.internId)) {
        this.remove(intern);
      } else {
        intern.until = requestedAt + this.#lifetimeMs;
        intern.runtime?.extend(intern.until);
      }
    }
  }
}
