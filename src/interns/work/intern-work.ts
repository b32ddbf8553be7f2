import { Injectable } from '@nestjs/common';
import type { Runtime } from '../../runtimes/runtime.driver.js';
import { PROVISIONING_STEPS } from '../provisioning-steps.js';
import { Boot } from './boot.js';
import { Endings } from './endings.js';
import { HeldInterns, type HeldIntern } from './held-interns.js';
import { ProvisioningCourse } from './provisioning-course.js';
import { RESTARTS, Supervision } from './supervision.js';
import { Teardown } from './teardown.js';

const BOOT_ATTEMPTS = 3;
const TEARDOWN_ATTEMPTS = 5;
const pauseAfter = (attempts: number): number => 500 * 2 ** attempts;
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What is done with an intern that was taken from the queue, by its status. */
@Injectable()
export class InternWork {
  readonly #kept = new Set<Promise<void>>();

  constructor(
    private readonly held: HeldInterns,
    private readonly boot: Boot,
    private readonly course: ProvisioningCourse,
    private readonly supervision: Supervision,
    private readonly teardown: Teardown,
    private readonly endings: Endings,
  ) {}

  /** Resolves when the intern needs no more attention than running ones do. Never rejects. */
  async run(held: HeldIntern): Promise<void> {
    try {
      await this.#attend(held);
    } catch {
      // Lost to another, or the database did not answer: either way it is in better hands elsewhere.
      await this.endings.abandon(held);
    }
  }

  /** Ends everything that runs here; another replica, or the next start, takes it up where it was. */
  async giveBackAll(): Promise<void> {
    for (const held of this.held.all()) held.lost.abort();
    await Promise.all(this.#kept);
  }

  async #attend(held: HeldIntern): Promise<void> {
    const { status, isPastDeadline } = held.job;
    switch (status) {
      case 'queued':
        if (isPastDeadline)
          return this.endings.rest(held, status, 'expired', 'No worker took it up in time: provision it again.');
        return this.#provision(held);
      case 'provisioning':
        if (isPastDeadline)
          return this.endings.rest(held, status, 'expired', 'Provisioning took too long: provision it again.');
        return this.#provision(held);
      case 'running':
        return this.#keep(held, undefined);
      case 'destroying':
        if (isPastDeadline)
          return this.endings.rest(held, status, 'expired', 'Its teardown took too long: delete it again.');
        return this.#tearDown(held);
      case 'awaiting_chat_install':
      case 'stopped':
      case 'failed':
      case 'destroy_failed':
        // At rest, but the worker that ran it has died: what it left behind is tidied up.
        return this.endings.abandon(held);
    }
  }

  async #provision(held: HeldIntern): Promise<void> {
    const { job, lost } = held;
    let at = 1;
    await this.course.begin(job);
    let runtime: Runtime;
    try {
      runtime = await this.boot.run(held, (step) => this.course.at(job, (at = step)));
    } catch (error) {
      lost.signal.throwIfAborted();
      const attempts = (job.status === 'queued' ? 0 : job.attempts) + 1;
      if (attempts < BOOT_ATTEMPTS) return this.endings.again(held, pauseAfter(attempts));
      return this.endings.rest(
        held,
        'provisioning',
        'boot-failed',
        `${PROVISIONING_STEPS[at - 1]} failed: ${reasonOf(error)}`,
      );
    }
    try {
      await this.course.through(job);
    } catch (error) {
      await runtime.stop();
      throw error;
    }
    this.#keep(held, runtime);
  }

  /** From here on it runs beside everything else. */
  #keep(held: HeldIntern, runtime: Runtime | undefined): void {
    const kept = this.supervision
      .keep(held, runtime)
      .then((reason) =>
        reason === undefined
          ? this.endings.abandon(held)
          : this.endings.rest(
              held,
              'running',
              'ended',
              `The runtime ended and did not last through ${RESTARTS} restarts: ${reason}`,
            ),
      )
      .catch(() => this.endings.abandon(held))
      .finally(() => this.#kept.delete(kept));
    this.#kept.add(kept);
  }

  async #tearDown(held: HeldIntern): Promise<void> {
    const { job, lost } = held;
    try {
      await this.teardown.run(job);
      this.held.remove(held);
    } catch (error) {
      lost.signal.throwIfAborted();
      if (job.attempts + 1 < TEARDOWN_ATTEMPTS) return this.endings.again(held, pauseAfter(job.attempts + 1));
      return this.endings.rest(held, 'destroying', 'teardown-failed', reasonOf(error));
    }
  }
}
