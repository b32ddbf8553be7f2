import type { AnalyticsPlan, AnalyticsResult } from '../analytics-query.js';
import type { Dimension, Granularity } from '../analytics-vocabulary.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/**
 * Lengths and offsets in milliseconds. Weeks have an offset, because 1970 began on a Thursday. Months are omitted,
 * because their length varies and one month is most of a window.
 */
const BUCKET: Readonly<Record<Exclude<Granularity, 'month'>, { length: number; offset: number }>> = {
  minute: { length: 60_000, offset: 0 },
  hour: { length: HOUR_MS, offset: 0 },
  day: { length: DAY_MS, offset: 0 },
  week: { length: 7 * DAY_MS, offset: 4 * DAY_MS },
};

const FIRST_SHARE = 1 / 16;
/** A larger part costs nearly as much as the whole, and may not fill the limit. */
const MAX_SHARE = 1 / 2;
/** Without one of these dimensions, there are too few rows to reach a limit. */
const MANY_VALUED: ReadonlySet<Dimension> = new Set<Dimension>(['generation_id', 'external_user', 'api_key_id']);
/** The factor by which a part is enlarged, because calls are not evenly distributed. */
const MARGIN = 1.3;

/**
 * Reads only the first buckets of a time-ordered plan, which usually fill the limit. If they do not, reads a larger
 * part, and finally the whole window. The result equals the result of the whole query.
 */
export async function readFirstPartFirst(
  plan: AnalyticsPlan,
  read: (plan: AnalyticsPlan) => Promise<AnalyticsResult>,
): Promise<AnalyticsResult> {
  for (let share = FIRST_SHARE; share <= MAX_SHARE;) {
    const part = partOf(plan, share);
    if (!part) break;
    const result = await read(part);
    // The part fills the limit, and all rows of the rest come after its rows.
    if (result.truncated) return result;
    share = Math.max(2 * share, (share * MARGIN * plan.limit) / Math.max(1, result.rowCount));
  }
  return read(plan);
}

/**
 * The part of a plan, in whole buckets, whose rows precede all other rows. Undefined if the part would be too large, or
 * if the plan has no such part.
 */
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
  return part.to - part.from <= (to - from) * MAX_SHARE ? part : undefined;
}
