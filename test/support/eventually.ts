import { setTimeout as sleep } from 'node:timers/promises';
import { TIME_LIMIT_FACTOR } from './time-limits.js';

/** Repeats an expectation until it passes. After `withinMs` (more in CI) it fails with the last error. */
export async function eventually<T>(expectation: () => Promise<T>, withinMs = 10_000): Promise<T> {
  const until = performance.now() + withinMs * TIME_LIMIT_FACTOR;
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      if (performance.now() > until) throw error;
      await sleep(25);
    }
  }
}

/** Sleeps until the system clock has reached `time`. A timer alone may end a millisecond earlier. */
export async function sleepUntil(time: Date): Promise<void> {
  for (let leftMs; (leftMs = time.getTime() - Date.now()) > 0;) await sleep(leftMs);
}
