import type { Zone } from './zone';

export const RANGE_LABELS = {
  today: 'Today',
  yesterday: 'Yesterday',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  month: 'This month',
  'last-month': 'Last month',
} as const;

export type RangeName = keyof typeof RANGE_LABELS;
export const RANGE_NAMES = Object.keys(RANGE_LABELS) as RangeName[];
export const DEFAULT_RANGE: RangeName = '7d';
export const isRange = (value: unknown): value is RangeName => typeof value === 'string' && value in RANGE_LABELS;

/**
 * A range by its name, or by its first and last day, such as "2026-03-01"; with a time of day, such as
 * "2026-03-01T14:00", it begins or ends then.
 */
export interface RangeChoice {
  readonly range?: RangeName;
  readonly from?: string;
  readonly to?: string;
}

/** Times in ISO 8601; the end is not included. */
export interface TimeRange {
  readonly start: string;
  readonly end: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAYS: Partial<Record<RangeName, number>> = { today: 1, '7d': 7, '30d': 30, '90d': 90 };

/** The beginning of the day, `days` days later. */
export function dayStart(ms: number, zone: Zone, days = 0): number {
  const time = new Date(ms);
  return zone === 'utc'
    ? Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate() + days)
    : new Date(time.getFullYear(), time.getMonth(), time.getDate() + days).getTime();
}

function monthStart(ms: number, zone: Zone, months = 0): number {
  const time = new Date(ms);
  return zone === 'utc'
    ? Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months)
    : new Date(time.getFullYear(), time.getMonth() + months).getTime();
}

function bounds(name: RangeName, zone: Zone, now: number): [number, number] {
  // A whole minute, so that a query stays equal while it is looked at.
  const end = Math.ceil(now / MINUTE_MS) * MINUTE_MS;
  if (name === 'yesterday') return [dayStart(now, zone, -1), dayStart(now, zone)];
  if (name === '24h') return [Math.floor(now / HOUR_MS) * HOUR_MS - 23 * HOUR_MS, end];
  if (name === 'month') return [monthStart(now, zone), end];
  if (name === 'last-month') return [monthStart(now, zone, -1), monthStart(now, zone)];
  return [dayStart(now, zone, 1 - DAYS[name]!), end];
}

/** Undefined where no such day exists. */
function momentOf(text: string, zone: Zone): number | undefined {
  const time = text.includes('T') ? text : `${text}T00:00`;
  const ms = Date.parse(zone === 'utc' ? `${time}Z` : time);
  return Number.isNaN(ms) ? undefined : ms;
}

/** The end of a choice that ends with a day, or at a time of day. */
function endOf(text: string, zone: Zone): number | undefined {
  const ms = momentOf(text, zone);
  return ms === undefined || text.includes('T') ? ms : dayStart(ms, zone, 1);
}

/** A moment as the first or last of a choice, in the zone. */
export function choiceOf(ms: number, zone: Zone): string {
  const local = new Date(zone === 'utc' ? ms : ms - new Date(ms).getTimezoneOffset() * MINUTE_MS);
  return local.toISOString().slice(0, 16);
}

/** Whole days or hours, of which the last may be running. A missing first or last day is the other one. */
export function rangeOf({ range = DEFAULT_RANGE, from, to }: RangeChoice, zone: Zone, now: number): TimeRange {
  const [one, other] = [from ?? to ?? '', to ?? from ?? ''];
  // Texts of one form are in the order of time.
  const [begin, stop] = [momentOf(one < other ? one : other, zone), endOf(one < other ? other : one, zone)];
  const [start, end] = begin !== undefined && stop !== undefined ? [begin, stop] : bounds(range, zone, now);
  return { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
}

/** As long a time before, for a comparison. */
export function rangeBefore({ start, end }: TimeRange): TimeRange {
  const length = Date.parse(end) - Date.parse(start);
  return { start: new Date(Date.parse(start) - length).toISOString(), end: start };
}

/** Some tens of buckets. */
export function granularityOf({ start, end }: TimeRange): 'hour' | 'day' | 'week' {
  const days = (Date.parse(end) - Date.parse(start)) / (24 * HOUR_MS);
  if (days <= 2.1) return 'hour';
  return days <= 200 ? 'day' : 'week';
}
