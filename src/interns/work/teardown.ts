import { Injectable, Logger } from '@nestjs/common';
import { InternKeys } from '../../auth/intern-keys.js';
import { Sql } from '../../database/sql.js';
import { reasonOf } from '../../kernel/errors/errors.js';
import { RuntimeDriver } from '../../runtimes/runtime.driver.js';
import { Vaults } from '../../vaults/vaults.js';
import { CreationClaims } from '../creation-claims.js';
import type { Job } from '../intern-record.js';
import { InternRows } from '../intern-rows.js';

/** Deletes an intern: its runtime, its disk, then its rows in one transaction. Each part can be repeated. */
@Injectable()
export class Teardown {
  readonly #log = new Logger('interns');

  constructor(
    private readonly sql: Sql,
    private readonly rows: InternRows,
    private readonly claims: CreationClaims,
    private readonly keys: InternKeys,
    private readonly vaults: Vaults,
    private readonly driver: RuntimeDriver,
  ) {}

  /** Rejects when `signal` is aborted. */
  async run(job: Job, signal: AbortSignal): Promise<void> {
    await this.driver.stop(job, job.fence, signal);
    signal.throwIfAborted();
    await this.#removeDisk(job, signal);
    signal.throwIfAborted();
    await this.sql.transaction(async (session) => {
      await this.rows.lock(job, session);
      await this.keys.revoke(session, job.internId);
      await this.vaults.destroyOfIntern(session, job.internId);
      await this.claims.forget(session, job.internId);
      await this.rows.delete(job, session);
    });
  }

  async #removeDisk(job: Job, signal: AbortSignal): Promise<void> {
    try {
      await this.driver.remove(job, signal);
    } catch (error) {
      const reason = reasonOf(error);
      if (!job.lossAcknowledged) throw new Error(`workspace_removal_failed: ${reason}`, { cause: error });
      this.#log.warn(`the disk of intern ${job.internId} could not be removed, which its owner accepted: ${reason}`);
    }
  }
}
