import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Clock } from '../../kernel/clock.js';
import { outcomeOf } from '../lifecycle.js';
import { hostnameOf } from './boot.js';
import type { Job } from './job.js';
import { WorkQueue } from './work-queue.js';

/** The course of provisioning as the row tells it: begun, at a step, through. */
@Injectable()
export class ProvisioningCourse {
  constructor(
    private readonly queue: WorkQueue,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** From the queue; one that another worker had begun goes on under its own deadline. */
  async begin(job: Job): Promise<void> {
    if (job.status !== 'queued') return;
    await this.queue.write(
      job,
      `status = $3, progress_step = 1, attempts = 0, deadline = clock_timestamp() + $4 * interval '1 millisecond', updated_at = $5`,
      [outcomeOf(job.status, 'taken'), this.config.values.INTERN_PROVISION_TIMEOUT_MS, this.clock.now()],
    );
  }

  async at(job: Job, step: number): Promise<void> {
    await this.queue.write(job, 'progress_step = $3', [step]);
  }

  async through(job: Job): Promise<void> {
    await this.queue.write(
      job,
      'status = $3, hostname = coalesce(hostname, $4), progress_step = null, deadline = null, attempts = 0, last_failure_message = null, updated_at = $5',
      [outcomeOf('provisioning', 'booted'), hostnameOf(job.name, job.internId, this.config), this.clock.now()],
    );
  }
}
