import { ABSENT } from './amounts';

const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
const short = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const dayUtc = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const minuteUtc = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** A moment in the reader's own zone, which it names. */
export const moment = (iso: string | null | undefined): string => (iso ? full.format(new Date(iso)) : ABSENT);
/** As `moment` in a column, whose header names the zone. */
export const timestamp = (iso: string): string => short.format(new Date(iso));
/** The time of day of a moment that is near. */
export const clock = (iso: string): string => time.format(new Date(iso));
export const date = (iso: string | null | undefined): string => (iso ? day.format(new Date(iso)) : ABSENT);

/** The reader's zone, such as "UTC" or "GMT+3". */
export const ZONE =
  new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' })
    .formatToParts(0)
    .find(({ type }) => type === 'timeZoneName')?.value ?? 'local time';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const UNITS = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['week', 7 * DAY_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', 60_000],
] as const;

/** Such as "3 hours ago". */
export function ago(iso: string, now = Date.now()): string {
  const distance = Date.parse(iso) - now;
  const [unit, ms] = UNITS.find(([, size]) => Math.abs(distance) >= size) ?? ['second', 1_000];
  return relative.format(Math.trunc(distance / ms), unit);
}

/** The beginning of a bucket of an analytics query. */
export const bucketLabel = (iso: string, granularity: string): string =>
  (granularity === 'minute' || granularity === 'hour' ? minuteUtc : dayUtc).format(new Date(iso));

export const RANGES = {
  '24h': { label: '24 hours', ms: DAY_MS, granularity: 'hour' },
  '7d': { label: '7 days', ms: 7 * DAY_MS, granularity: 'day' },
  '30d': { label: '30 days', ms: 30 * DAY_MS, granularity: 'day' },
  '90d': { label: '90 days', ms: 90 * DAY_MS, granularity: 'day' },
} as const;

export type RangeName = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as RangeName[];
export const isRange = (value: unknown): value is RangeName => typeof value === 'string' && value in RANGES;

/** From the range before now to the end of the current minute, so that a query stays equal while it is looked at. */
export function timeRange(name: RangeName, now = Date.now()): { start: string; end: string } {
  const end = Math.ceil(now / 60_000) * 60_000;
  return { start: new Date(end - RANGES[name].ms).toISOString(), end: new Date(end).toISOString() };
}
