import { Injectable, Logger } from '@nestjs/common';
import { Notifications } from '../../database/notifications.js';
import type { Runtime } from '../../runtimes/runtime.driver.js';
import type { Job } from './job.js';
import { WorkQueue } from './work-queue.js';

/** What this replica does with one intern at present. */
export interface HeldIntern {
  readonly job: Job;
  /** Aborted when the intern is no longer this replica's. */
  readonly lost: AbortController;
  /** Until when it is, on this machine's clock (epoch milliseconds): a runtime must not live longer. */
  until: number;
  runtime?: Runtime;
}

/** A runtime ends this much before the lease does, so that the next one never meets it. */
const MARGIN = 0.15;

/** The interns in this replica's hands: keeps their leases, and says at once when one is lost. */
@Injectable()
export class HeldInterns {
  readonly #log = new Logger('interns');
  readonly #held = new Map<string, HeldIntern>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly queue: WorkQueue,
    notifications: Notifications,
  ) {
    notifications.on('intern_changed', (id) => {
      const held = this.#held.get(id);
      if (held) void this.#renew([held]);
    });
    notifications.onGap(() => void this.#renew(this.all()));
  }

  all(): HeldIntern[] {
    return [...this.#held.values()];
  }

  get count(): number {
    return this.#held.size;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#renew(this.all()), this.queue.leaseMs / 5);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** `askedAt`: when the lease was asked for; it lasts from no earlier than that. */
  add(job: Job, askedAt: number): HeldIntern {
    const held: HeldIntern = { job, lost: new AbortController(), until: askedAt + this.#lifetime };
    this.#held.set(job.internId, held);
    return held;
  }

  remove({ job, lost }: HeldIntern): void {
    if (this.#held.get(job.internId)?.job.claim === job.claim) this.#held.delete(job.internId);
    lost.abort();
  }

  get #lifetime(): number {
    return this.queue.leaseMs * (1 - MARGIN);
  }

  async #renew(held: readonly HeldIntern[]): Promise<void> {
    if (held.length === 0) return;
    const askedAt = Date.now();
    let renewed: ReadonlySet<string>;
    try {
      renewed = await this.queue.renew(held.map(({ job }) => job));
    } catch (error) {
      this.#log.warn(`cannot renew the leases of interns: ${error instanceof Error ? error.message : String(error)}`);
      for (const intern of held) if (Date.now() >= intern.until) this.#lose(intern);
      return;
    }
    for (const intern of held) {
      if (!renewed.has(intern.job.internId)) this.#lose(intern);
      else {
        intern.until = askedAt + this.#lifetime;
        intern.runtime?.extend(intern.until);
      }
    }
  }

  #lose(intern: HeldIntern): void {
    this.remove(intern);
  }
}
