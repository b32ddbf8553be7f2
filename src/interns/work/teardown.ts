import { Injectable, Logger } from '@nestjs/common';
import { InternKeys } from '../../auth/intern-keys.js';
import { Sql } from '../../database/sql.js';
import { RuntimeDriver } from '../../runtimes/runtime.driver.js';
import { Vaults } from '../../vaults/vaults.js';
import type { Job } from './job.js';
import { WorkQueue } from './work-queue.js';

/** Takes an intern apart: runtime, disk, and then everything the database holds of it at once. Each part may be repeated. */
@Injectable()
export class Teardown {
  readonly #log = new Logger('interns');

  constructor(
    private readonly sql: Sql,
    private readonly queue: WorkQueue,
    private readonly keys: InternKeys,
    private readonly vaults: Vaults,
    private readonly driver: RuntimeDriver,
  ) {}

  async run(job: Job): Promise<void> {
    await this.driver.stop(job, job.fence);
    await this.#removeDisk(job);
    await this.sql.transaction(async (session) => {
      await this.queue.hold(job, session);
      await this.keys.revoke(session, job.internId);
      await this.vaults.destroyOfIntern(session, job.internId);
      // The keys of its creation may be used again.
      await session.query('delete from intern_creation where intern_id = $1', [job.internId]);
      await session.query('delete from intern where id = $1', [job.internId]);
    });
  }

  async #removeDisk(job: Job): Promise<void> {
    try {
      await this.driver.remove(job);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!job.lossAcknowledged) throw new Error(`workspace_removal_failed: ${reason}`, { cause: error });
      this.#log.warn(`the disk of intern ${job.internId} stays behind, as its owner accepted: ${reason}`);
    }
  }
}
