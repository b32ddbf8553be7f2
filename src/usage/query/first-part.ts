import type { AnalyticsPlan, AnalyticsResult } from '../analytics-query.js';
import type { Dimension, Granularity } from '../analytics-vocabulary.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** 1970 began on a Thursday. Months have no fixed length; one of them is most of a window anyway. */
const BUCKET: Readonly<Record<Exclude<Granularity, 'month'>, { length: number; offset: number }>> = {
  minute: { length: 60_000, offset: 0 },
  hour: { length: HOUR_MS, offset: 0 },
  day: { length: DAY_MS, offset: 0 },
  week: { length: 7 * DAY_MS, offset: 4 * DAY_MS },
};

const FIRST_SHARE = 1 / 16;
/** A part of more than this costs nearly as much as the whole, and may have been in vain. */
const LARGEST_SHARE = 1 / 2;
/** Where none of these is asked for, there are too few rows to fill a limit. */
const MANY_VALUED: ReadonlySet<Dimension> = new Set<Dimension>(['generation_id', 'external_user', 'api_key_id']);
/** Calls are not spread evenly. */
const MARGIN = 1.3;

/**
 * Reads a plan by parts where its rows go by time: the buckets that come first fill its limit more often than not, and then
 * nothing else needs to be read. The answer is that of the whole.
 */
export async function readFirstPartFirst(
  plan: AnalyticsPlan,
  read: (plan: AnalyticsPlan) => Promise<AnalyticsResult>,
): Promise<AnalyticsResult> {
  for (let share = FIRST_SHARE; share <= LARGEST_SHARE;) {
    const part = partOf(plan, share);
    if (!part) break;
    const result = await read(part);
    // There is a row beyond the limit, and what was left out comes after it.
    if (result.truncated) return result;
    share = Math.max(2 * share, (share * MARGIN * plan.limit) / Math.max(1, result.rowCount));
  }
  return read(plan);
}

/** The part of a plan, in whole buckets, whose rows come before all others; undefined where there is none so small. */
function partOf(plan: AnalyticsPlan, share: number): AnalyticsPlan | undefined {
  const { from, to, granularity, order, dimensions } = plan;
  if (
    order.by !== 'date' ||
    plan.groupLimit !== null ||
    granularity === null ||
    granularity === 'month' ||
    !dimensions.some((dimension) => MANY_VALUED.has(dimension))
  )
    return undefined;
  const { length, offset } = BUCKET[granularity];
  const startOf = (ms: number): number => Math.floor((ms - offset) / length) * length + offset;
  const span = (to - from) * share;
  const part = order.descending
    ? { ...plan, from: Math.max(from, startOf(to - span)) }
    : { ...plan, to: Math.min(to, startOf(from + span) + length) };
  return part.to - part.from <= (to - from) * LARGEST_SHARE ? part : undefined;
}
