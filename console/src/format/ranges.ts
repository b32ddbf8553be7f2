import type { Zone } from './zone';
import { t } from '../text/translate';

export const RANGE_LABELS = {
  today: t('Today'),
  yesterday: t('Yesterday'),
  '24h': t('Last 24 hours'),
  '7d': t('Last 7 days'),
  '30d': t('Last 30 days'),
  '90d': t('Last 90 days'),
  month: t('This month'),
  'last-month': t('Last month'),
} as const;

export type RangeName = keyof typeof RANGE_LABELS;
export const RANGE_NAMES = Object.keys(RANGE_LABELS) as RangeName[];
export const DEFAULT_RANGE: RangeName = '7d';
export const isRange = (value: unknown): value is RangeName => typeof value === 'string' && value in RANGE_LABELS;

/**
 * A range by its name, or by its first and last day, such as "2026-03-01". With a time of day, such as
 * "2026-03-01T14:00", it starts or ends at that time.
 */
export interface RangeChoice {
  readonly range?: RangeName;
  readonly from?: string;
  readonly to?: string;
}

/** Times in ISO 8601; the end is exclusive. */
export interface TimeRange {
  readonly start: string;
  readonly end: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAYS: Partial<Record<RangeName, number>> = { today: 1, '7d': 7, '30d': 30, '90d': 90 };

/** The start of the day that is `days` days after the day of `ms`. */
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
  // Rounded to a whole minute, so that a query stays equal while the page is shown.
  const end = Math.ceil(now / MINUTE_MS) * MINUTE_MS;
  if (name === 'yesterday') return [dayStart(now, zone, -1), dayStart(now, zone)];
  if (name === '24h') return [Math.floor(now / HOUR_MS) * HOUR_MS - 23 * HOUR_MS, end];
  if (name === 'month') return [monthStart(now, zone), end];
  if (name === 'last-month') return [monthStart(now, zone, -1), monthStart(now, zone)];
  return [dayStart(now, zone, 1 - DAYS[name]!), end];
}

/** Undefined if the day does not exist. */
function momentOf(text: string, zone: Zone): number | undefined {
  const time = text.includes('T') ? text : `${text}T00:00`;
  const ms = Date.parse(zone === 'utc' ? `${time}Z` : time);
  return Number.isNaN(ms) ? undefined : ms;
}

/** The time at which a choice ends: the end of its last day, or its time of day. */
function endOf(text: string, zone: Zone): number | undefined {
  const ms = momentOf(text, zone);
  return ms === undefined || text.includes('T') ? ms : dayStart(ms, zone, 1);
}

/** A time as the start or end of a range choice, in the zone. */
export function choiceOf(ms: number, zone: Zone): string {
  const local = new Date(zone === 'utc' ? ms : ms - new Date(ms).getTimezoneOffset() * MINUTE_MS);
  return local.toISOString().slice(0, 16);
}

/**
 * The time range of a choice: whole days or hours, of which the last one may still be running. If `from` or `to` is
 * missing, it equals the other.
 */
export function rangeOf({ range = DEFAULT_RANGE, from, to }: RangeChoice, zone: Zone, now: number): TimeRange {
  const [one, other] = [from ?? to ?? '', to ?? from ?? ''];
  // Texts of the same form sort in the order of time.
  const [begin, stop] = [momentOf(one < other ? one : other, zone), endOf(one < other ? other : one, zone)];
  const [start, end] = begin !== undefined && stop !== undefined ? [begin, stop] : bounds(range, zone, now);
  return { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
}

/** The preceding period of the same length, for a comparison. */
export function rangeBefore({ start, end }: TimeRange): TimeRange {
  const length = Date.parse(end) - Date.parse(start);
  return { start: new Date(Date.parse(start) - length).toISOString(), end: start };
}

/** The granularity at which a chart of the range has a readable number of buckets. */
export function granularityOf({ start, end }: TimeRange): 'minute' | 'hour' | 'day' | 'week' {
  const hours = (Date.parse(end) - Date.parse(start)) / HOUR_MS;
  if (hours <= 2) return 'minute';
  const days = hours / 24;
  if (days <= 2.1) return 'hour';
  return days <= 200 ? 'day' : 'week';
}
