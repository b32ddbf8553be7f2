import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats an expectation until it holds; past `withinMs` it fails with what it last said. */
export async function eventually<T>(expectation: () => Promise<T>, withinMs = 10_000): Promise<T> {
  const until = performance.now() + withinMs;
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      if (performance.now() > until) throw error;
      await sleep(25);
    }
  }
}
