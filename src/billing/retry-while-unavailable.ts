import { DelegateBackoff, handleWhen, retry } from 'cockatiel';
import { isDatabaseUnavailable } from '../database/database-faults.js';
import { backoffMs } from '../kernel/scheduling/backoff.js';
import { databaseUnavailableError } from '../kernel/errors/database-unavailable.js';

const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;

/**
 * Retries while the database is unavailable, until `until` on the clock of performance.now(). Then throws an
 * `unavailable` error for the caller. Other errors are thrown at once.
 */
export function retryWhileUnavailable<T>(until: number, work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => retryUntil(until, work, error));
}

/** This is a separate function so that no retry policy is created if the first attempt succeeds. */
async function retryUntil<T>(until: number, work: () => Promise<T>, first: unknown): Promise<T> {
  const leftMs = (): number => until - performance.now();
  const policy = retry(
    handleWhen((error) => isDatabaseUnavailable(error) && leftMs() > 0),
    {
      maxAttempts: Infinity,
      backoff: new DelegateBackoff(({ attempt }) =>
        Math.max(0, Math.min(backoffMs(attempt, MIN_PAUSE_MS, MAX_PAUSE_MS), leftMs())),
      ),
    },
  );
  try {
    return await policy.execute(({ attempt }) => (attempt === 0 ? Promise.reject<T>(first as Error) : work()));
  } catch (error) {
    throw isDatabaseUnavailable(error) ? databaseUnavailableError(error) : error;
  }
}
