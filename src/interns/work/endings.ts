import { Injectable, Logger } from '@nestjs/common';
import { InternKeys } from '../../auth/intern-keys.js';
import { Sql } from '../../database/sql.js';
import { backoffMs } from '../../kernel/scheduling/backoff.js';
import { reasonOf } from '../../kernel/errors/errors.js';
import { RuntimeDriver, SupersededRuntime } from '../../runtimes/runtime.driver.js';
import { LostLease } from '../intern-record.js';
import { InternRows } from '../intern-rows.js';
import type { InternReport, InternStatus } from '../lifecycle.js';
import { HeldInterns, type HeldIntern } from './held-interns.js';
import { within } from './time-limit.js';

/** How long a report waits for the runtime to end. */
const END_TIMEOUT_MS = 1_500;
/** Releasing a lease can wait longer for the runtime, because the lease is still valid. */
const RELEASE_TIMEOUT_MS = 20_000;
const MIN_TIDY_PAUSE_MS = 30_000;
const MAX_TIDY_PAUSE_MS = 600_000;

/**
 * The ways in which a worker ends its work on an intern. `rest` and `requeue` increase the fence, so that no outcome is
 * reported twice.
 */
@Injectable()
export class Endings {
  readonly #log = new Logger('interns');

  constructor(
    private readonly sql: Sql,
    private readonly rows: InternRows,
    private readonly held: HeldInterns,
    private readonly keys: InternKeys,
    private readonly driver: RuntimeDriver,
  ) {}

  /**
   * Moves the intern to a status at rest, with a message for the owner. Revokes the intern's key. Ends its runtime,
   * waiting at most END_TIMEOUT_MS. A runtime that cannot be reached ends before its lease expires; a worker later
   * checks that it has ended.
   */
  async rest(intern: HeldIntern, from: InternStatus, report: InternReport, message: string): Promise<void> {
    const { job } = intern;
    const tidyAfterMs = (await this.#hasEnded(intern)) ? null : MIN_TIDY_PAUSE_MS;
    await this.sql.transaction(async (session) => {
      await this.rows.rest(job, { from, report, message, tidyAfterMs }, session);
      await this.keys.revoke(session, job.internId);
    });
    this.held.remove(intern);
  }

  /** Returns the intern to the queue in the same status. Workers take it again after `pauseMs`. */
  async requeue(intern: HeldIntern, pauseMs: number): Promise<void> {
    await this.rows.requeue(intern.job, pauseMs);
    this.held.remove(intern);
  }

  /** For an intern at rest: ends a runtime that an earlier boot left, or requeues the intern to try again later. */
  async tidy(intern: HeldIntern): Promise<void> {
    const { job } = intern;
    try {
      await within({ ms: RELEASE_TIMEOUT_MS, signal: intern.lost.signal }, (signal) =>
        this.driver.stop(job, job.fence, signal),
      );
    } catch (error) {
      if (error instanceof SupersededRuntime) throw error;
      const pauseMs = backoffMs(job.attempts + 1, MIN_TIDY_PAUSE_MS, MAX_TIDY_PAUSE_MS);
      this.#log.warn(
        `a runtime of intern ${job.internId} may still be running and cannot be ended now ` +
          `(${reasonOf(error)}): trying again in ${pauseMs / 1_000} s`,
      );
      return this.requeue(intern, pauseMs);
    }
    await this.rows.release(job);
    this.held.remove(intern);
  }

  /** Ends the runtime of an intern that this replica no longer runs, and releases the lease. Never rejects. */
  async abandon(intern: HeldIntern): Promise<void> {
    try {
      await within({ ms: RELEASE_TIMEOUT_MS }, async (signal) => {
        await intern.runtime?.stop();
        await this.driver.stop(intern.job, intern.job.fence, signal);
      });
      await this.rows.release(intern.job);
    } catch (error) {
      // The lease expires by itself. The runtime ends before that, because its time is no longer extended.
      if (!(error instanceof LostLease))
        this.#log.warn(`intern ${intern.job.internId} keeps its lease until it expires: ${reasonOf(error)}`);
    } finally {
      this.held.remove(intern);
    }
  }

  /** Ends the runtime. Returns whether no runtime of the intern is left. */
  async #hasEnded({ job, mayRun }: HeldIntern): Promise<boolean> {
    if (!mayRun) return true;
    // The runtime is on the machine of another replica, which checks it later.
    if (!this.driver.runs) return false;
    try {
      await within({ ms: END_TIMEOUT_MS }, (signal) => this.driver.stop(job, job.fence, signal));
      return true;
    } catch (error) {
      // Another worker runs the intern, so this one must not report.
      if (error instanceof SupersededRuntime) throw error;
      return false;
    }
  }
}
