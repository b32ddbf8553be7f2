import { backoffMs } from '../kernel/scheduling/backoff.js';

/** How long a delivery is retried, and how long a webhook may fail before it is disabled. */
export const MAX_RETRY_MS = 3 * 86_400_000;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 3_600_000;
/** Pauses vary by this share, so that the deliveries to a receiver that was down are not all retried at once. */
const JITTER = 0.2;

/** When the next attempt is due; null = no further attempt. `random`: from 0 to 1. */
export function nextAttempt(attempt: number, firstAt: Date, now: Date, random = Math.random()): Date | null {
  const lastAt = firstAt.getTime() + MAX_RETRY_MS;
  if (now.getTime() >= lastAt) return null;
  const pauseMs = backoffMs(attempt, FIRST_PAUSE_MS, MAX_PAUSE_MS) * (1 + JITTER * (2 * random - 1));
  return new Date(Math.min(now.getTime() + pauseMs, lastAt));
}
