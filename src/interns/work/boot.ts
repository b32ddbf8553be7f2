import { Injectable } from '@nestjs/common';
import { InternKeys } from '../../auth/intern-keys.js';
import { Config } from '../../config/config.js';
import { Sql } from '../../database/sql.js';
import type { SecretValue } from '../../kernel/secret-value.js';
import { RuntimeDriver, type Runtime } from '../../runtimes/runtime.driver.js';
import { InternEgress } from './intern-egress.js';
import type { HeldIntern } from './held-interns.js';
import { BootSecrets } from './boot-secrets.js';
import { WorkQueue } from './work-queue.js';

/** One boot of an intern, step by step; a step says its number first, and its name is in PROVISIONING_STEPS. */
@Injectable()
export class Boot {
  constructor(
    private readonly sql: Sql,
    private readonly queue: WorkQueue,
    private readonly keys: InternKeys,
    private readonly secrets: BootSecrets,
    private readonly egress: InternEgress,
    private readonly driver: RuntimeDriver,
  ) {}

  /** Resolves with the running intern. `say` is told of each step before it begins. */
  async run(held: HeldIntern, say: (step: number) => Promise<void>): Promise<Runtime> {
    const { job, lost } = held;
    const step = async (number: number): Promise<void> => {
      lost.signal.throwIfAborted();
      await say(number);
    };
    await step(1);
    const secrets = await this.secrets.of(job.internId);
    await step(2);
    await this.driver.prepare(job);
    await step(3);
    const key = await this.#mint(held);
    await step(4);
    const way = await this.egress.open(job.internId);
    try {
      const { name, instructions, model, fence } = job;
      const runtime = await this.driver.start({
        place: job,
        fence,
        until: held.until,
        name,
        instructions,
        model,
        secrets,
        key,
        egress: way,
      });
      void runtime.ended.then(() => this.egress.close(way));
      // The lease may have been renewed while it started.
      runtime.extend(held.until);
      await this.#confirm(runtime, lost.signal, step);
      return runtime;
    } catch (error) {
      this.egress.close(way);
      throw error;
    }
  }

  async #confirm(runtime: Runtime, lost: AbortSignal, step: (number: number) => Promise<void>): Promise<void> {
    try {
      await step(5);
      if (!(await runtime.isHealthy())) throw new Error('it does not answer');
      await step(6);
      lost.throwIfAborted();
    } catch (error) {
      await runtime.stop();
      throw error;
    }
  }

  /** Notes, with the key, that a runtime may be there from now on. */
  async #mint({ job }: HeldIntern): Promise<SecretValue> {
    return this.sql.transaction(async (session) => {
      await this.queue.write(job, 'booted_fence = fence', [], session);
      return this.keys.mint(session, job);
    });
  }
}

/** The name under which an intern is found: its own name and the end of its id, so that no two can meet. */
export const hostnameOf = (name: string, internId: string, { values }: Config): string =>
  `${name}-${internId.slice(-8)}.${values.INTERN_HOST_SUFFIX}`;
