/** Buckets of time in UTC, as an analytics query makes them. */
export interface Buckets {
  readonly granularity: string;
  /** ISO 8601; the end is not included. */
  readonly start: string;
  readonly end: string;
}

const STEP_MS: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};
/** 1970-01-01 was a Thursday, and weeks begin on Monday. */
const FIRST_MONDAY_MS = 4 * 86_400_000;
/** More would be less than a pixel each. */
const MAX_BUCKETS = 20_000;

/** The beginning of each bucket that the range touches, in seconds since 1970. */
export function bucketTimes({ granularity, start, end }: Buckets): number[] {
  const [from, to] = [Date.parse(start), Date.parse(end)];
  const step = STEP_MS[granularity];
  if (step === undefined) return monthTimes(new Date(from), to);
  const offset = granularity === 'week' ? FIRST_MONDAY_MS : 0;
  const times: number[] = [];
  let time = Math.floor((from - offset) / step) * step + offset;
  for (; time < to && times.length < MAX_BUCKETS; time += step) times.push(time / 1000);
  return times;
}

function monthTimes(from: Date, to: number): number[] {
  const times: number[] = [];
  let time = Date.UTC(from.getUTCFullYear(), from.getUTCMonth());
  for (let month = 1; time < to && times.length < MAX_BUCKETS; month++) {
    times.push(time / 1000);
    time = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + month);
  }
  return times;
}
