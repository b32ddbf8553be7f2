import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from '../../kernel/errors/database-unavailable.js';

/** Resolves with the result. Throws DatabaseUnavailable if there is no result within `ms` milliseconds. */
export async function withinTimeout<T>(ms: number, result: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = sleep(ms, undefined, { signal: over.signal }).then(() => {
    throw new DatabaseUnavailable(`the database did not respond within ${ms} ms`);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    over.abort();
    // Ignore a rejection of the promise that lost the race.
    result.catch(() => undefined);
    late.catch(() => undefined);
  }
}
