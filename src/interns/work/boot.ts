import { Injectable } from '@nestjs/common';
import { InternKeys } from '../../auth/intern-keys.js';
import { Sql } from '../../database/sql.js';
import type { SecretValue } from '../../kernel/secret-value.js';
import { RuntimeDriver, type Runtime } from '../../runtimes/runtime.driver.js';
import { InternRows } from '../intern-rows.js';
import { BootInputs } from './boot-inputs.js';
import type { HeldIntern } from './held-interns.js';

/** One boot of an intern, in the steps of PROVISIONING_STEPS. */
@Injectable()
export class Boot {
  constructor(
    private readonly sql: Sql,
    private readonly rows: InternRows,
    private readonly keys: InternKeys,
    private readonly inputs: BootInputs,
    private readonly driver: RuntimeDriver,
  ) {}

  /**
   * Resolves with the runtime. Calls `onStep` with the number of each step before it starts. Rejects when `signal` is
   * aborted.
   */
  async run(held: HeldIntern, signal: AbortSignal, onStep: (step: number) => Promise<void>): Promise<Runtime> {
    const { job } = held;
    const step = async (number: number): Promise<void> => {
      signal.throwIfAborted();
      await onStep(number);
    };
    await step(1);
    await this.inputs.ensureVault(job.internId);
    const profile = await this.inputs.profileOf(job);
    await step(2);
    await this.driver.prepare(job, signal);
    await step(3);
    const key = await this.#mint(held);
    await step(4);
    const egress = await this.inputs.openEgress(job.internId);
    try {
      const runtime = await this.driver.start(
        {
          ...profile,
          place: job,
          fence: job.fence,
          until: () => held.until,
          key,
          egress,
          hostGrants: this.inputs.hostGrantsOf(egress),
        },
        signal,
      );
      void runtime.ended.then(() => this.inputs.closeEgress(egress));
      // The lease may have been renewed during the start.
      runtime.extend(held.until);
      await this.#confirm(runtime, signal, step);
      return runtime;
    } catch (error) {
      this.inputs.closeEgress(egress);
      throw error;
    }
  }

  async #confirm(runtime: Runtime, signal: AbortSignal, step: (number: number) => Promise<void>): Promise<void> {
    try {
      await step(5);
      if (!(await runtime.isHealthy())) throw new Error('it does not respond');
      await step(6);
      signal.throwIfAborted();
    } catch (error) {
      await runtime.stop();
      throw error;
    }
  }

  /** Records, in the transaction that mints the key, that a runtime may exist from now on. */
  async #mint(held: HeldIntern): Promise<SecretValue> {
    const { job } = held;
    held.mayRun = true;
    return this.sql.transaction(async (session) => {
      await this.rows.markBooting(job, session);
      return this.keys.mint(session, job);
    });
  }
}
