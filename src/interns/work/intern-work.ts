import { Injectable } from '@nestjs/common';
import { backoffMs } from '../../kernel/scheduling/backoff.js';
import { reasonOf } from '../../kernel/errors/errors.js';
import type { Runtime } from '../../runtimes/runtime.driver.js';
import { InternRows } from '../intern-rows.js';
import { PROVISIONING_STEPS, type InternStatus } from '../lifecycle.js';
import { Boot } from './boot.js';
import { Endings } from './endings.js';
import { HeldInterns, type HeldIntern } from './held-interns.js';
import { MAX_RESTARTS, Supervision } from './supervision.js';
import { Teardown } from './teardown.js';
import { within } from './time-limit.js';

/** How long the teardown may take if the job has no deadline. */
const DEFAULT_TEARDOWN_TIMEOUT_MS = 120_000;
const MAX_BOOT_ATTEMPTS = 3;
const MAX_TEARDOWN_ATTEMPTS = 5;
/** No further attempt is made if less time than this is left. */
const MIN_ATTEMPT_MS = 1_000;
const MIN_PAUSE_MS = 1_000;
/** The failure message for an intern that is past its deadline. */
const EXPIRED: Partial<Record<InternStatus, string>> = {
  queued: 'No worker started it in time: provision it again.',
  provisioning: 'Provisioning took too long: provision it again.',
  destroying: 'Its teardown took too long: delete it again.',
};
/** Milliseconds before the deadline that are reserved for ending the runtime and recording the outcome. */
const reserveOf = (leftMs: number): number => Math.min(2_000, leftMs / 4);
const pauseAfter = (attempts: number): number => backoffMs(attempts, MIN_PAUSE_MS);
const hasTimeAfter = (attempts: number, until: number): boolean =>
  performance.now() + pauseAfter(attempts) + MIN_ATTEMPT_MS < until;

/** The work on an intern that was taken from the queue, by its status. */
@Injectable()
export class InternWork {
  readonly #supervised = new Set<Promise<void>>();

  constructor(
    private readonly held: HeldInterns,
    private readonly boot: Boot,
    private readonly rows: InternRows,
    private readonly supervision: Supervision,
    private readonly teardown: Teardown,
    private readonly endings: Endings,
  ) {}

  /** Resolves when the work is done. A running intern is then supervised in the background. Never rejects. */
  async run(held: HeldIntern): Promise<void> {
    try {
      await this.#work(held);
    } catch {
      // The lease was lost, or the database is not available. Another worker may take the intern.
      await this.endings.abandon(held);
    }
  }

  /**
   * Ends all runtimes of this replica and releases their leases, so that other replicas, or the next process of this
   * replica, can run the interns.
   */
  async releaseAll(): Promise<void> {
    for (const held of this.held.all()) held.lost.abort();
    await Promise.all(this.#supervised);
  }

  async #work(held: HeldIntern): Promise<void> {
    const { status, isPastDeadline } = held.job;
    const expired = EXPIRED[status];
    if (isPastDeadline && expired !== undefined) return this.endings.rest(held, status, 'expired', expired);
    switch (status) {
      case 'queued':
      case 'provisioning':
        return this.#provision(held);
      case 'running':
        return this.#supervise(held, undefined);
      case 'destroying':
        return this.#tearDown(held);
      case 'awaiting_chat_install':
      case 'stopped':
      case 'failed':
      case 'destroy_failed':
        // An intern at rest may still have a runtime, if its worker was killed or could not end the runtime.
        return this.endings.tidy(held);
    }
  }

  async #provision(held: HeldIntern): Promise<void> {
    const { job, lost } = held;
    let at = 1;
    const leftMs = await this.rows.startProvisioning(job);
    const until = performance.now() + leftMs - reserveOf(leftMs);
    let runtime: Runtime;
    try {
      const limit = { ms: until - performance.now(), signal: lost.signal, undo: (late: Runtime) => late.stop() };
      runtime = await within(limit, (signal) =>
        this.boot.run(held, signal, (step) => this.rows.setProgress(job, (at = step))),
      );
    } catch (error) {
      lost.signal.throwIfAborted();
      const attempts = (job.status === 'queued' ? 0 : job.attempts) + 1;
      if (attempts < MAX_BOOT_ATTEMPTS && hasTimeAfter(attempts, until))
        return this.endings.requeue(held, pauseAfter(attempts));
      return this.endings.rest(
        held,
        'provisioning',
        'boot-failed',
        `${PROVISIONING_STEPS[at - 1]} failed: ${reasonOf(error)}`,
      );
    }
    try {
      await this.rows.setRunning(job);
    } catch (error) {
      await runtime.stop().catch(() => undefined);
      throw error;
    }
    this.#supervise(held, runtime);
  }

  /** Runs in the background until the intern is lost or its restarts are used up. */
  #supervise(held: HeldIntern, runtime: Runtime | undefined): void {
    const supervised = this.supervision
      .keep(held, runtime)
      .then((reason) =>
        reason === undefined
          ? this.endings.abandon(held)
          : this.endings.rest(
              held,
              'running',
              'ended',
              `The runtime ended again after ${MAX_RESTARTS} restarts: ${reason}`,
            ),
      )
      .catch(() => this.endings.abandon(held))
      .finally(() => this.#supervised.delete(supervised));
    this.#supervised.add(supervised);
  }

  async #tearDown(held: HeldIntern): Promise<void> {
    const { job, lost } = held;
    const leftMs = job.deadlineInMs ?? DEFAULT_TEARDOWN_TIMEOUT_MS;
    const until = performance.now() + leftMs - reserveOf(leftMs);
    try {
      await within({ ms: until - performance.now(), signal: lost.signal }, (signal) => this.teardown.run(job, signal));
      this.held.remove(held);
    } catch (error) {
      lost.signal.throwIfAborted();
      const attempts = job.attempts + 1;
      if (attempts < MAX_TEARDOWN_ATTEMPTS && hasTimeAfter(attempts, until))
        return this.endings.requeue(held, pauseAfter(attempts));
      return this.endings.rest(held, 'destroying', 'teardown-failed', reasonOf(error));
    }
  }
}
