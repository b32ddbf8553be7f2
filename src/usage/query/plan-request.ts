import type { AnalyticsPlan, AnalyticsRequest } from '../analytics-query.js';
import {
  DIMENSIONS,
  GRANULARITIES,
  METRICS,
  type Dimension,
  type Granularity,
  type Metric,
} from '../analytics-vocabulary.js';
import { invalidRequest } from '../../kernel/errors.js';
import { filterOf } from './plan-filter.js';
import { oneOfWords } from './words.js';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 7;
const MOST_DAYS = 365;
const MOST_DAYS_PER_CALL = 31;
const MOST_MINUTES_MS = 3 * 3_600_000;
const DEFAULT_LIMIT = 1_000;
const MOST_ROWS = 10_000;

/** Checks a request's words and rules and says what to compute. Throws invalid_request that names what is wrong. */
export function planOf(request: AnalyticsRequest, accountNo: number, now: Date): AnalyticsPlan {
  const metrics = unique(
    request.metrics.map((name, index) => oneOfWords(METRICS, name, `metrics[${index}]`, 'metric')),
  );
  const dimensions = unique(
    (request.dimensions ?? []).map((name, index) => oneOfWords(DIMENSIONS, name, `dimensions[${index}]`, 'dimension')),
  );
  const granularity =
    request.granularity === undefined
      ? null
      : oneOfWords(GRANULARITIES, request.granularity, 'granularity', 'granularity');
  const { from, to } = timeRangeOf(request.time_range, now);
  refuseTooLong(to - from, metrics, dimensions, granularity);
  const isSeries = granularity !== null && dimensions.length > 0;
  return {
    accountNo,
    from,
    to,
    granularity,
    metrics,
    dimensions,
    filters: (request.filters ?? []).map(filterOf),
    order: orderOf(request.order_by, metrics, dimensions, granularity),
    // A combination has at most one row per bucket, so leaving it open never cuts a window off.
    groupLimit: dimensions.length === 0 ? null : (request.group_limit ?? null),
    // An open limit grows to fit a series; one that the caller set is kept.
    limit: request.limit ?? (isSeries && request.group_limit === undefined ? MOST_ROWS : DEFAULT_LIMIT),
  };
}

const unique = <T>(words: readonly T[]): readonly T[] => [...new Set(words)];

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/i;

function timeOf(text: string, field: string): number {
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse rolls 31 February over to March: a day that does not exist is refused.
  const day = Number(text.slice(8, 10));
  const exists = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)) - 1, day)).getUTCDate() === day;
  if (Number.isNaN(time) || !exists)
    throw invalidRequest(`${field} must be an ISO 8601 timestamp with its zone, such as 2026-01-31T00:00:00Z`);
  return time;
}

function timeRangeOf(range: AnalyticsRequest['time_range'], now: Date): { from: number; to: number } {
  if (range === undefined) return { from: now.getTime() - DEFAULT_DAYS * DAY_MS, to: now.getTime() };
  const from = timeOf(range.start, 'time_range.start');
  const to = timeOf(range.end, 'time_range.end');
  if (from >= to) throw invalidRequest('time_range.start must lie before time_range.end');
  return { from, to };
}

function refuseTooLong(
  span: number,
  metrics: readonly Metric[],
  dimensions: readonly Dimension[],
  granularity: Granularity | null,
): void {
  if (span > MOST_DAYS * DAY_MS) throw invalidRequest(`time_range must span at most ${MOST_DAYS} days`);
  const perCall =
    metrics.find((metric) => METRICS[metric].speed) ??
    dimensions.find((dimension) => DIMENSIONS[dimension].perGeneration);
  if (perCall && span > MOST_DAYS_PER_CALL * DAY_MS)
    throw invalidRequest(`time_range must span at most ${MOST_DAYS_PER_CALL} days with ${perCall}`);
  if (granularity === 'minute' && span > MOST_MINUTES_MS)
    throw invalidRequest('granularity minute needs a time_range of at most 3 hours');
}

function orderOf(
  order: AnalyticsRequest['order_by'],
  metrics: readonly Metric[],
  dimensions: readonly Dimension[],
  granularity: Granularity | null,
): AnalyticsPlan['order'] {
  if (order === undefined) return { by: granularity ? 'date' : metrics[0]!, descending: true };
  const by = [...metrics, ...dimensions, 'request_count' as const, ...(granularity ? (['date'] as const) : [])].find(
    (field) => field === order.field,
  );
  if (by === undefined) {
    throw invalidRequest(
      order.field === 'date'
        ? 'order_by.field date needs a granularity'
        : `order_by.field "${order.field}" must be a requested metric, request_count, a requested dimension, or date`,
    );
  }
  return { by, descending: order.direction === 'desc' };
}
