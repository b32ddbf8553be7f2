import type { AnalyticsQuery } from '../../api/records';
import { isRange, timeRange, type RangeName } from '../../format/times';

/** The address of the page is its query. */
export interface UsageSearch {
  readonly range?: RangeName;
  /** Instead of a range: days in UTC, the last included. */
  readonly from?: string;
  readonly to?: string;
  readonly metrics?: readonly string[];
  readonly by?: readonly string[];
  readonly granularity?: string;
  readonly key?: string;
  readonly model?: string;
  readonly status?: 'errors' | 'ok';
}

export const DEFAULT_METRICS = ['credits_usage', 'byok_usage', 'request_count', 'error_count', 'tokens_total'] as const;
const MAX_DIMENSIONS = 2;
const MAX_ROWS = 100_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const texts = (value: unknown, max?: number): string[] | undefined => {
  const list = Array.isArray(value) ? value.filter((entry) => typeof entry === 'string').slice(0, max) : [];
  return list.length > 0 ? list : undefined;
};
const day = (value: unknown): string | undefined =>
  typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

/** Keeps what is well-formed of an address. */
export function usageQuery(search: Record<string, unknown>): UsageSearch {
  const found: UsageSearch = {
    range: isRange(search.range) ? search.range : undefined,
    from: day(search.from),
    to: day(search.to),
    metrics: texts(search.metrics),
    by: texts(search.by, MAX_DIMENSIONS),
    granularity: text(search.granularity),
    key: text(search.key),
    model: text(search.model),
    status: search.status === 'errors' || search.status === 'ok' ? search.status : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

const FIRST_ERROR_STATUS = 400;

function filtersOf({ key, model, status }: UsageSearch): NonNullable<AnalyticsQuery['filters']> {
  return [
    ...(key ? [{ field: 'api_key_id' as const, operator: 'eq' as const, value: key }] : []),
    ...(model ? [{ field: 'model' as const, operator: 'eq' as const, value: model }] : []),
    ...(status
      ? [
          {
            field: 'status' as const,
            operator: status === 'errors' ? ('gte' as const) : ('lt' as const),
            value: FIRST_ERROR_STATUS,
          },
        ]
      : []),
  ];
}

function rangeOf({ range = '7d', from, to }: UsageSearch): { start: string; end: string } {
  if (!from || !to) return timeRange(range);
  return { start: `${from}T00:00:00Z`, end: new Date(Date.parse(to) + DAY_MS).toISOString() };
}

/** The request of the API for an address. The API refuses unknown words, with a message that lists the known ones. */
export function requestOf(search: UsageSearch): AnalyticsQuery {
  const filters = filtersOf(search);
  return {
    metrics: [...(search.metrics ?? DEFAULT_METRICS)] as AnalyticsQuery['metrics'],
    ...(search.by ? { dimensions: [...search.by] as AnalyticsQuery['dimensions'] } : {}),
    ...(search.granularity ? { granularity: search.granularity as AnalyticsQuery['granularity'] } : {}),
    ...(filters.length > 0 ? { filters } : {}),
    time_range: rangeOf(search),
    limit: MAX_ROWS,
  };
}
