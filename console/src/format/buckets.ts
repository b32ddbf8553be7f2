import { choiceOf, dayStart, type RangeChoice, type TimeRange } from './ranges';
import type { Zone } from './zone';
import { t } from '../text/translate';

/** Buckets of time. An analytics query returns them in UTC. */
export interface Buckets extends TimeRange {
  readonly granularity: string;
  /** Days of this zone, added up from hours. */
  readonly daysOf?: Zone;
}

const STEP_MS: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};
/** 1970-01-01 was a Thursday, and weeks start on Monday. */
const FIRST_MONDAY_MS = 4 * 86_400_000;
/** With more buckets, each bucket would be narrower than a pixel. */
const MAX_BUCKETS = 20_000;

/** The start of each bucket that the range touches, in seconds since 1970. */
export function bucketTimes({ granularity, start, end, daysOf }: Buckets): number[] {
  const [from, to] = [Date.parse(start), Date.parse(end)];
  if (daysOf) return dayTimes(from, to, daysOf);
  const step = STEP_MS[granularity];
  if (step === undefined) return monthTimes(new Date(from), to);
  const offset = granularity === 'week' ? FIRST_MONDAY_MS : 0;
  const times: number[] = [];
  let time = Math.floor((from - offset) / step) * step + offset;
  for (; time < to && times.length < MAX_BUCKETS; time += step) times.push(time / 1000);
  return times;
}

function dayTimes(from: number, to: number, zone: Zone): number[] {
  const times: number[] = [];
  for (let day = 0; times.length < MAX_BUCKETS; day++) {
    const time = dayStart(from, zone, day);
    if (time >= to) break;
    times.push(time / 1000);
  }
  return times;
}

/** For a longer range, days of UTC are requested instead of hours. */
const MAX_DAYS_BY_HOUR = 31;
const HOUR_MINUTES = 60;
/** More than a month. */
const MAX_BUCKET_S = 32 * 86_400;

/**
 * Returns days of the zone if they can be computed, which requires a zone at whole hours from UTC and a metric that is
 * a sum. Otherwise returns the buckets of UTC.
 */
export function bucketsOf(range: TimeRange, granularity: string, zone: Zone, isSum: boolean): Buckets {
  const offsets = [range.start, range.end].map((iso) => new Date(iso).getTimezoneOffset());
  const isWholeHours = offsets.every((minutes) => minutes % HOUR_MINUTES === 0) && offsets.some((each) => each !== 0);
  const days = (Date.parse(range.end) - Date.parse(range.start)) / STEP_MS['day']!;
  const isLocal = granularity === 'day' && zone === 'local' && isSum && isWholeHours && days <= MAX_DAYS_BY_HOUR + 1;
  return { ...range, granularity, ...(isLocal ? { daysOf: zone } : {}) };
}

/** The granularity to request; the buckets are computed from it. */
export const requestedGranularity = ({ granularity, daysOf }: Buckets): string => (daysOf ? 'hour' : granularity);

/** The zone in which the buckets start. */
export const placeOf = ({ granularity, daysOf }: Buckets, zone: Zone): Zone =>
  daysOf ?? (granularity === 'hour' || granularity === 'minute' ? zone : 'utc');

/** The start of the bucket that contains the time of a row, in seconds since 1970. */
export const bucketOf = ({ daysOf }: Buckets, iso: string): number =>
  (daysOf ? dayStart(Date.parse(iso), daysOf) : Date.parse(iso)) / 1000;

/** The start of the bucket after the one that starts at `time`, in seconds since 1970. */
function bucketEnd(buckets: Buckets, time: number): number {
  const after = new Date((time + MAX_BUCKET_S) * 1000).toISOString();
  const times = bucketTimes({ ...buckets, start: new Date(time * 1000).toISOString(), end: after });
  return times[1] ?? time;
}

/** The time range of a bucket, in the form of the address. */
export const choiceOfBucket = (buckets: Buckets, time: number, zone: Zone): Pick<RangeChoice, 'from' | 'to'> => ({
  from: choiceOf(time * 1000, zone),
  to: choiceOf(bucketEnd(buckets, time) * 1000, zone),
});

/** Whether the last bucket is still running at a time. */
export function isRunning(buckets: Buckets, now: number): boolean {
  const last = bucketTimes(buckets).at(-1);
  if (last === undefined) return false;
  return Date.parse(buckets.end) >= now && bucketEnd(buckets, last) * 1000 > now;
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

const GRANULARITY_WORDS: Readonly<Record<string, string>> = {
  minute: t('minute'),
  hour: t('hour'),
  day: t('day'),
  week: t('week'),
  month: t('month'),
};

export const granularityWord = (granularity: string): string => GRANULARITY_WORDS[granularity] ?? granularity;
