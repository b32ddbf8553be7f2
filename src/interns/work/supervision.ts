import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Runtime } from '../../runtimes/runtime.driver.js';
import { Boot } from './boot.js';
import type { HeldIntern } from './held-interns.js';

/** So many times in a row a runtime is started again before the intern counts as failed. */
export const RESTARTS = 5;
const FIRST_PAUSE_MS = 500;
/** A runtime that lasted so long has shown that it can: its restarts are forgotten. */
const LASTING_MS = 300_000;
const HEALTH_EVERY_MS = 10_000;

/** Keeps a booted intern running: asks for its health, starts it again with growing pauses. */
@Injectable()
export class Supervision {
  readonly #log = new Logger('interns');

  constructor(private readonly boot: Boot) {}

  /** Resolves when the intern is lost to this replica (undefined), or with the last reason when its restarts are used up. */
  async keep(held: HeldIntern, first: Runtime | undefined, reason = 'it was not running'): Promise<string | undefined> {
    const { signal } = held.lost;
    let runtime = first;
    for (let restarts = 0; ; restarts++) {
      if (runtime) {
        const since = performance.now();
        reason = await this.#untilEnded(held, runtime);
        if (performance.now() - since >= LASTING_MS) restarts = 0;
      }
      if (signal.aborted) return undefined;
      if (restarts >= RESTARTS) return reason;
      this.#log.warn(`the runtime of intern ${held.job.internId} is not there (${reason}): starting it again`);
      await sleep(FIRST_PAUSE_MS * 2 ** restarts, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return undefined;
      try {
        runtime = await this.boot.run(held, async () => undefined);
      } catch (error) {
        runtime = undefined;
        reason = error instanceof Error ? error.message : String(error);
      }
    }
  }

  async #untilEnded(held: HeldIntern, runtime: Runtime): Promise<string> {
    const { signal } = held.lost;
    held.runtime = runtime;
    const stop = (): void => void runtime.stop();
    const health = setInterval(() => void this.#look(runtime), HEALTH_EVERY_MS);
    health.unref();
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    try {
      return await runtime.ended;
    } finally {
      clearInterval(health);
      signal.removeEventListener('abort', stop);
      held.runtime = undefined;
    }
  }

  async #look(runtime: Runtime): Promise<void> {
    if (!(await runtime.isHealthy()) && !(await runtime.isHealthy())) await runtime.stop();
  }
}
