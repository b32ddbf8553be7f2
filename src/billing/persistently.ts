import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayError } from '../kernel/errors.js';

const GIVE_UP_AFTER_MS = 20_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** SQLSTATE classes that say "not now": connection, resources, operator intervention, rollback by conflict. */
const PASSING = /^(08|53|57|58|40)/;

/** Tries again while the database is away, and gives up with one clear error. Other errors pass at once. */
export function persistently<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  return work().catch((error: unknown) => again(work, error, start));
}

async function again<T>(work: () => Promise<T>, first: unknown, start: number): Promise<T> {
  let error = first;
  for (let pause = FIRST_PAUSE_MS; isPassing(error); pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    if (performance.now() - start > GIVE_UP_AFTER_MS) {
      throw new GatewayError('unavailable', 'The database is not available. Try again later.', { cause: error });
    }
    await sleep(pause);
    try {
      return await work();
    } catch (failure) {
      error = failure;
    }
  }
  throw error;
}

/** Whether the fault is the connection's or the server's, rather than the statement's. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof GatewayError) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string')
    return PASSING.test(code) || ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'].includes(code);
  return /connection|timeout exceeded when trying to connect/i.test(error.message);
}
