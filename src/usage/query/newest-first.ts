import type { CallListPlan, ListedCall } from '../call-list.js';

const DAY_MS = 86_400_000;
/** The past is searched part by part. The parts begin this many days before the end of the list. */
const WINDOWS_DAYS = [1, 8, 64] as const;

/** The newest calls of a plan, at most as many as its limit. */
export interface NewestCalls {
  readonly calls: number;
  /** The time of the oldest of them; null without any. */
  readonly oldest: number | null;
}

interface Reads {
  /** Reads the times only. */
  readonly find: (plan: CallListPlan) => Promise<NewestCalls>;
  readonly read: (plan: CallListPlan) => Promise<readonly ListedCall[]>;
}

/**
 * First finds the time of the page's last call, in the newest days and then in earlier ones. Then reads whole calls
 * from that time on, because a store quickly reads few columns of many calls and all columns of few. The result equals
 * a single read.
 */
export async function readNewestFirst(plan: CallListPlan, { find, read }: Reads): Promise<readonly ListedCall[]> {
  const { before, from: first } = plan;
  const end = Math.min(before?.at ?? Infinity, plan.to ?? Infinity);
  const newest = Math.min(end, Date.now());
  // Calls at the time of the cursor are left to the read, which compares their ids.
  let oldest = before?.at ?? null;
  let to = end === Infinity ? null : end;
  let missing = plan.limit + 1;
  for (const days of [...WINDOWS_DAYS, Infinity]) {
    const start = newest - days * DAY_MS;
    const isLast = start <= (first ?? -Infinity);
    const from = isLast ? first : start;
    const found = await find({ ...plan, before: null, from, to, limit: missing });
    oldest = found.oldest ?? oldest;
    missing -= found.calls;
    if (missing <= 0 || isLast) break;
    to = from;
  }
  return oldest === null ? [] : read({ ...plan, from: Math.max(oldest, first ?? 0) });
}
