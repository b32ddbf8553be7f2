import type { AnalyticsPlan, AnalyticsRequest } from '../analytics-query.js';
import {
  DIMENSIONS,
  GRANULARITIES,
  METRICS,
  type Dimension,
  type Granularity,
  type Metric,
} from '../analytics-vocabulary.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import { timeOf, withinWindow } from '../time-range.js';
import { filterOf, oneOfWords } from './plan-filter.js';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 7;
const DEFAULT_LIMIT = 1_000;
/** Maximum rows of a result, which bounds the service's memory. Higher limits are reduced to it. */
export const MAX_ROWS = 100_000;

/** Checks a request and returns the plan. Throws invalid_request, which names the mistake. */
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
  const isSeries = granularity !== null && dimensions.length > 0;
  // A caller's limit is kept. The default is larger for a series, so that all combinations fit.
  const defaultLimit = isSeries && request.group_limit === undefined ? MAX_ROWS : DEFAULT_LIMIT;
  const limit = Math.min(request.limit ?? defaultLimit, MAX_ROWS);
  return {
    accountNo,
    from,
    to,
    granularity,
    metrics,
    dimensions,
    filters: (request.filters ?? []).map(filterOf),
    order: orderOf(request.order_by, metrics, dimensions, granularity),
    groupLimit: dimensions.length === 0 ? null : groupLimitOf(request.group_limit, limit),
    limit,
  };
}

const unique = <T>(words: readonly T[]): readonly T[] => [...new Set(words)];

/** Null = no group limit. A group limit has no effect if it is not below the total limit. */
const groupLimitOf = (requested: number | undefined, limit: number): number | null =>
  requested === undefined || requested >= limit ? null : requested;

function timeRangeOf(range: AnalyticsRequest['time_range'], now: Date): { from: number; to: number } {
  if (range === undefined) return { from: now.getTime() - DEFAULT_DAYS * DAY_MS, to: now.getTime() };
  const from = timeOf(range.start, 'time_range.start');
  const to = timeOf(range.end, 'time_range.end');
  if (from >= to) throw invalidRequest('time_range.start must be before time_range.end');
  return { from: withinWindow(from), to: withinWindow(to) };
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
