import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from '../../kernel/errors/database-unavailable.js';

/** The result, if it is known within `ms`; else throws DatabaseUnavailable. */
export async function withinTimeout<T>(ms: number, result: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = sleep(ms, undefined, { signal: over.signal }).then(() => {
    throw new DatabaseUnavailable(`the database did not respond within ${ms} ms`);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    over.abort();
    // Ignores the rejection of the promise that lost the race.
    result.catch(() => undefined);
    late.catch(() => undefined);
  }
}
