import type { AnalyticsQuery } from '../../api/records';
import { inWorkspace, type AnalyticsFilters } from '../../api/analytics';
import type { TimeRange } from '../../format/ranges';
import { present, textOf } from '../../scope/search-parameters';

/** The query of the page, which is stored in its address. */
export interface UsageSearch {
  readonly metrics?: readonly string[];
  readonly by?: readonly string[];
  readonly granularity?: string;
  readonly key?: string;
  readonly model?: string;
  readonly status?: 'errors' | 'ok';
  /** The metric of the chart; absent = the first of the query. */
  readonly chart?: string;
  /** Whether the chart shows running totals. */
  readonly cumulative?: boolean;
  /** Whether the chart also shows the previous period of the same length. */
  readonly compare?: boolean;
}

export const DEFAULT_METRICS = ['credits_usage', 'byok_usage', 'request_count', 'error_count', 'tokens_total'] as const;
const MAX_DIMENSIONS = 2;
const MAX_ROWS = 100_000;

const texts = (value: unknown, max?: number): string[] | undefined => {
  const list = Array.isArray(value) ? value.filter((entry) => typeof entry === 'string').slice(0, max) : [];
  return list.length > 0 ? list : undefined;
};

/** Reads the query in an address and drops malformed members. */
export function usageQuery(search: Record<string, unknown>): UsageSearch {
  return present<UsageSearch>({
    metrics: texts(search.metrics),
    by: texts(search.by, MAX_DIMENSIONS),
    granularity: textOf(search.granularity),
    key: textOf(search.key),
    model: textOf(search.model),
    status: search.status === 'errors' || search.status === 'ok' ? search.status : undefined,
    chart: textOf(search.chart),
    cumulative: search.cumulative === true || undefined,
    compare: search.compare === true || undefined,
  });
}

const FIRST_ERROR_STATUS = 400;

function filtersOf({ key, model, status }: UsageSearch): AnalyticsFilters {
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

/** The choices in the header. */
interface UsageScope {
  readonly workspace?: string;
  readonly time: TimeRange;
}

/**
 * The request of the API for an address and the choices of the header. The API refuses unknown names, with a message
 * that lists the known ones.
 */
export function requestOf(search: UsageSearch, { workspace, time }: UsageScope): AnalyticsQuery {
  const filters = [...inWorkspace(workspace), ...filtersOf(search)];
  return {
    metrics: [...(search.metrics ?? DEFAULT_METRICS)] as AnalyticsQuery['metrics'],
    ...(search.by ? { dimensions: [...search.by] as AnalyticsQuery['dimensions'] } : {}),
    ...(search.granularity ? { granularity: search.granularity as AnalyticsQuery['granularity'] } : {}),
    ...(filters.length > 0 ? { filters } : {}),
    time_range: time,
    limit: MAX_ROWS,
  };
}
