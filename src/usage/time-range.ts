import { invalidRequest } from '../kernel/errors/errors.js';

/** No call is recorded outside of this window. Stores count minutes since 1970 in 32 bits. */
const WINDOW_MS = { from: 0, to: Date.UTC(6000, 0) } as const;

/** [from, to) in milliseconds since 1970; null = open. */
export interface TimeRange {
  readonly from: number | null;
  readonly to: number | null;
}

/** Reads two ISO 8601 timestamps or dates. Throws invalid_request, which names the mistake. */
export function timeRangeOf({ start, end }: { readonly start?: string; readonly end?: string }): TimeRange {
  const from = momentOf(start, 'start');
  const to = momentOf(end, 'end');
  if (from !== null && to !== null && from >= to) throw invalidRequest('start must be before end');
  return { from, to };
}

const momentOf = (text: string | undefined, field: string): number | null =>
  text === undefined ? null : withinWindow(timeOf(text, field));

export const withinWindow = (ms: number): number => Math.max(WINDOW_MS.from, Math.min(WINDOW_MS.to, ms));

/**
 * A date, optionally followed by a time, which may have a time zone. ISO 8601 allows a comma before the fraction, and
 * hours alone as an offset.
 */
const TIMESTAMP = new RegExp(
  String.raw`^(?<date>(?:\d{4}|[+-]\d{6})-\d{2}-(?<day>\d{2}))` +
    String.raw`(?:[T ](?<clock>\d{2}:\d{2}(?::\d{2})?)(?:(?<=:\d{2}:\d{2})[.,](?<fraction>\d+))?` +
    String.raw`(?<zone>Z|[+-]\d{2}(?::?\d{2})?)?)?$`,
  'i',
);

/**
 * The moment of an ISO 8601 timestamp, in milliseconds since 1970. A timestamp without a zone is in UTC, and a date
 * alone is the start of that day. Throws invalid_request, which names the field.
 */
export function timeOf(text: string, field: string): number {
  const parts = TIMESTAMP.exec(text)?.groups;
  const ms = parts ? Date.parse(normalised(parts)) : Number.NaN;
  if (!parts || Number.isNaN(ms) || !isDayOfCalendar(parts['date']!, Number(parts['day']))) {
    throw invalidRequest(`${field} must be an ISO 8601 timestamp or date, such as 2026-01-31T00:00:00Z or 2026-01-31`);
  }
  return ms;
}

/** Returns the timestamp in the format that ECMAScript defines. Digits beyond milliseconds are ignored. */
function normalised({ date, clock = '00:00', fraction = '0', zone = 'Z' }: Record<string, string | undefined>): string {
  const seconds = clock.length === 'HH:MM'.length ? `${clock}:00` : clock;
  const offset = zone.length > 1 ? `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}` : 'Z';
  return `${date}T${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`;
}

/**
 * Whether the date exists in the calendar. Date.parse does not check this. It converts 31 February to a day in March.
 */
const isDayOfCalendar = (date: string, day: number): boolean => new Date(`${date}T00:00:00Z`).getUTCDate() === day;
