import { ABSENT } from './amounts';
import { timeZone, zone } from './zone';
import { language, t } from '../text/translate';

/** Formats times in the reader's locale and the zone of the console. */
function formatIn(style: Intl.DateTimeFormatOptions): (time: number | string) => string {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (time) => {
    const format = formats.get(zone()) ?? new Intl.DateTimeFormat(undefined, { ...style, timeZone: timeZone() });
    formats.set(zone(), format);
    return format.format(new Date(time));
  };
}

const full = formatIn({ dateStyle: 'medium', timeStyle: 'long' });
const short = formatIn({ dateStyle: 'medium', timeStyle: 'medium' });
const day = formatIn({ dateStyle: 'medium' });
const minute = formatIn({ dateStyle: 'medium', timeStyle: 'short' });
const dayUtc = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat(language(), { numeric: 'auto' });

/** A moment together with its zone. */
export const moment = (iso: string | null | undefined): string => (iso ? full(iso) : ABSENT);
/** Like `moment`, without seconds: for planned times. */
export const toTheMinute = formatIn({
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});
/** Like `moment`, for a column whose header names the zone. */
export const timestamp = (iso: string): string => short(iso);
/** The time of day of a moment that is close to now. */
export const clock = formatIn({ timeStyle: 'medium' });
export const date = (iso: string | null | undefined): string => (iso ? day(iso) : ABSENT);

/** The current zone, such as "UTC" or "GMT+3". */
export const zoneLabel = (): string =>
  new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short', timeZone: timeZone() })
    .formatToParts(Date.now())
    .find(({ type }) => type === 'timeZoneName')?.value ?? t('local time');

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

/** A text such as "3 hours ago". */
export function ago(iso: string, now = Date.now()): string {
  const distance = Date.parse(iso) - now;
  const [unit, ms] = UNITS.find(([, size]) => Math.abs(distance) >= size) ?? ['second', 1_000];
  return relative.format(Math.trunc(distance / ms), unit);
}

/**
 * The label of a bucket of an analytics query, from its start. Days start in UTC, unless they were computed for the
 * zone.
 */
export const bucketLabel = (iso: string, granularity: string): string =>
  granularity === 'minute' || granularity === 'hour'
    ? minute(iso)
    : Date.parse(iso) % DAY_MS === 0
      ? dayUtc.format(new Date(iso))
      : day(iso);
