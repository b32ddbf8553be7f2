import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '../../kernel/scheduling/backoff.js';
import { reasonOf } from '../../kernel/errors/errors.js';
import { Periodic } from '../../kernel/scheduling/periodic.js';
import type { Runtime } from '../../runtimes/runtime.driver.js';
import { Boot } from './boot.js';
import type { HeldIntern } from './held-interns.js';
import { within } from './time-limit.js';

/** How long a runtime may take to boot again after it ended. */
const BOOT_TIMEOUT_MS = 120_000;
/** Restarts in a row before the intern counts as failed. */
export const MAX_RESTARTS = 5;
const MIN_PAUSE_MS = 500;
/** After this time a runtime counts as healthy, and its earlier restarts are no longer counted. */
const HEALTHY_AFTER_MS = 300_000;
const HEALTH_CHECK_EVERY_MS = 10_000;

/** Keeps a booted intern running: checks its health, and restarts it with increasing pauses. */
@Injectable()
export class Supervision {
  readonly #log = new Logger('interns');

  constructor(private readonly boot: Boot) {}

  /**
   * Resolves with undefined when this replica loses the intern, or with the reason of the last failure when no restart
   * is left.
   */
  async keep(held: HeldIntern, first: Runtime | undefined): Promise<string | undefined> {
    const { signal } = held.lost;
    // If no runtime of an earlier boot is left, a worker has stopped it on purpose. This is not a failure.
    let wasStopped = first === undefined && !held.job.wasBooted;
    let runtime = first;
    let reason = 'it was not running';
    for (let restarts = 0; ; restarts++) {
      if (runtime) {
        const since = performance.now();
        reason = await this.#untilEnded(held, runtime);
        if (performance.now() - since >= HEALTHY_AFTER_MS) restarts = 0;
      }
      if (signal.aborted) return undefined;
      if (restarts >= MAX_RESTARTS) return reason;
      if (!wasStopped) {
        this.#log.warn(`the runtime of intern ${held.job.internId} is not running (${reason}): starting it again`);
        await sleep(backoffMs(restarts + 1, MIN_PAUSE_MS), undefined, { signal, ref: false }).catch(() => undefined);
        if (signal.aborted) return undefined;
      }
      wasStopped = false;
      try {
        const limit = { ms: BOOT_TIMEOUT_MS, signal, undo: (late: Runtime) => late.stop() };
        runtime = await within(limit, (attempt) => this.boot.run(held, attempt, async () => undefined));
      } catch (error) {
        runtime = undefined;
        reason = reasonOf(error);
      }
    }
  }

  async #untilEnded(held: HeldIntern, runtime: Runtime): Promise<string> {
    const { signal } = held.lost;
    held.runtime = runtime;
    // The failure of a stop is reported by `ended`.
    const stop = (): void => void runtime.stop().catch(() => undefined);
    const health = new Periodic(
      () => this.#checkHealth(runtime),
      () => undefined,
    );
    health.start(HEALTH_CHECK_EVERY_MS);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    try {
      return await runtime.ended;
    } finally {
      void health.stop();
      signal.removeEventListener('abort', stop);
      held.runtime = undefined;
    }
  }

  async #checkHealth(runtime: Runtime): Promise<void> {
    if (!(await runtime.isHealthy()) && !(await runtime.isHealthy())) await runtime.stop();
  }
}
