import { Injectable, Logger } from '@nestjs/common';
import { InternKeys } from '../../auth/intern-keys.js';
import { Sql } from '../../database/sql.js';
import { Clock } from '../../kernel/clock.js';
import { RuntimeDriver } from '../../runtimes/runtime.driver.js';
import { outcomeOf, type InternReport, type InternStatus } from '../lifecycle.js';
import { HeldInterns, type HeldIntern } from './held-interns.js';
import { LostLease } from './job.js';
import { WorkQueue } from './work-queue.js';

/** How an intern leaves a worker's hands. The fence moves on each time: nobody reports twice. */
@Injectable()
export class Endings {
  readonly #log = new Logger('interns');

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly queue: WorkQueue,
    private readonly held: HeldInterns,
    private readonly keys: InternKeys,
    private readonly driver: RuntimeDriver,
  ) {}

  /** Into a status at rest, with a message for its owner; its runtime is ended and its key revoked first. */
  async rest(intern: HeldIntern, from: InternStatus, report: InternReport, message: string): Promise<void> {
    const { job } = intern;
    const status = outcomeOf(from, report);
    await this.driver.stop(job, job.fence);
    await this.sql.transaction(async (session) => {
      await this.queue.write(
        job,
        'fence = fence + 1, status = $3, last_failure_message = $4, progress_step = null, deadline = null, wake_at = null, lease_until = null, worker = null, booted_fence = null, updated_at = $5',
        [status, message, this.clock.now()],
        session,
      );
      await this.keys.revoke(session, job.internId);
    });
    this.held.remove(intern);
  }

  /** Back into the queue in the same status, to be taken again after a pause. */
  async again(intern: HeldIntern, pauseMs: number): Promise<void> {
    await this.queue.write(
      intern.job,
      `fence = fence + 1, attempts = attempts + 1, wake_at = clock_timestamp() + $3 * interval '1 millisecond', lease_until = null, worker = null`,
      [pauseMs],
    );
    this.held.remove(intern);
  }

  /** Lost, or given up: whatever ran is ended, and others may begin. Never rejects. */
  async abandon(intern: HeldIntern): Promise<void> {
    try {
      await intern.runtime?.stop();
      await this.driver.stop(intern.job, intern.job.fence);
      await this.queue.letGo(intern.job);
    } catch (error) {
      // The lease runs out by itself, and a runtime that nobody extends ends before it.
      if (!(error instanceof LostLease))
        this.#log.warn(
          `intern ${intern.job.internId} is left to its lease: ${error instanceof Error ? error.message : String(error)}`,
        );
    } finally {
      this.held.remove(intern);
    }
  }
}
