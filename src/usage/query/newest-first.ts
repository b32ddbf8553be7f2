import type { CallListPlan, ListedCall } from '../call-list.js';

const DAY_MS = 86_400_000;
/** The past is searched part by part. The parts begin this many days before the end of the list. */
const WINDOWS_DAYS = [1, 8, 64] as const;

/** The number of the newest calls of a plan, at most its limit, and the time of the oldest of them. */
export interface NewestCalls {
  readonly calls: number;
  /** Milliseconds since 1970; null if there are no calls. */
  readonly oldest: number | null;
}

interface Reads {
  /** Reads the times only. */
  readonly find: (plan: CallListPlan) => Promise<NewestCalls>;
  readonly read: (plan: CallListPlan) => Promise<readonly ListedCall[]>;
}

/**
 * First finds the time of the last call of the page, in the newest days and then in earlier days. Then reads whole
 * calls from that time on. A store quickly reads few columns of many calls, and all columns of few calls. The result is
 * the same as the result of a single read.
 */
export async function readNewestFirst(plan: CallListPlan, { find, read }: Reads): Promise<readonly ListedCall[]> {
  const { before, from: first } = plan;
  const end = Math.min(before?.at ?? Infinity, plan.to ?? Infinity);
  const newest = Math.min(end, Date.now());
  // `find` omits calls at the time of the cursor, because only `read` compares their ids.
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
