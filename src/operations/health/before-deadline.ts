import { setTimeout as sleep } from 'node:timers/promises';

/** Returns the result of `work`, or `late` if it takes longer than `ms`. */
export async function beforeDeadline<T, L>(ms: number, work: Promise<T>, late: L): Promise<T | L> {
  const over = new AbortController();
  const timeout = sleep(ms, late, { signal: over.signal }).catch(() => late);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    over.abort();
  }
}
