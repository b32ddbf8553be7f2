import type { AnalyticsQuery } from '../../api/records';
import type { TimeRange } from '../../format/ranges';

export type CallKind = (typeof CALL_KINDS)[number];

export const CALL_KINDS = ['chat', 'embeddings', 'image', 'speech', 'transcription', 'rerank'] as const;
/** The statuses with which calls end, each with what it means. */
export const STATUSES = [
  ['200', 'OK'],
  ['400', 'Bad request'],
  ['402', 'No credits or limit'],
  ['403', 'Refused'],
  ['404', 'Not found'],
  ['408', 'Timed out'],
  ['413', 'Too large'],
  ['422', 'Unprocessable'],
  ['429', 'Too many requests'],
  ['499', 'Caller left'],
  ['500', 'Internal error'],
  ['502', 'Provider failed'],
  ['503', 'Unavailable'],
  ['524', 'Provider silent'],
  ['529', 'Provider overloaded'],
] as const;

/** The filters of the list, as the address has them. */
export const CALL_FILTERS = ['model', 'key', 'person', 'provider', 'code', 'kind', 'user', 'session'] as const;
type FilterName = (typeof CALL_FILTERS)[number];

export type CallFilters = { readonly [K in FilterName]?: string } & { readonly status?: 'errors' | 'ok' };

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

const WELL_FORMED: Partial<Record<FilterName, (value: string) => boolean>> = {
  key: (value) => /^[0-9a-f]{64}$/.test(value),
  person: (value) => /^[0-9a-f-]{36}$/i.test(value),
  code: (value) => /^[1-5]\d\d$/.test(value),
  kind: (value) => CALL_KINDS.some((kind) => kind === value),
};

/** Keeps what is well-formed of an address. */
export function callFilters(search: Record<string, unknown>): CallFilters {
  const found = CALL_FILTERS.flatMap((name) => {
    const value = text(search[name]);
    return value !== undefined && (WELL_FORMED[name]?.(value) ?? true) ? [[name, value] as const] : [];
  });
  const { status } = search;
  return { ...Object.fromEntries(found), ...(status === 'errors' || status === 'ok' ? { status } : {}) };
}

/** The query of the list. */
export const listQuery = (filters: CallFilters, workspace: string | undefined, { start, end }: TimeRange) => ({
  model: filters.model,
  api_key_hash: filters.key,
  user_id: filters.person,
  provider: filters.provider,
  status: filters.code === undefined ? undefined : Number(filters.code),
  kind: filters.kind as CallKind | undefined,
  user: filters.user,
  session_id: filters.session,
  error: filters.status && filters.status === 'errors',
  workspace_id: workspace,
  start,
  end,
});

type AnalyticsFilters = NonNullable<AnalyticsQuery['filters']>;

/** The filters of the same calls in a query of sums; undefined where sums do not know one of them. */
export function sumFilters(filters: CallFilters, workspace: string | undefined): AnalyticsFilters | undefined {
  if (filters.session !== undefined) return undefined;
  const equal: readonly (readonly [string, string | number | undefined])[] = [
    ['model', filters.model],
    ['api_key_id', filters.key],
    ['user', filters.person],
    ['provider', filters.provider],
    ['status', filters.code === undefined ? undefined : Number(filters.code)],
    ['modality', filters.kind],
    ['external_user', filters.user],
    ['workspace', workspace],
  ];
  return [
    ...equal.flatMap(([field, value]) => (value === undefined ? [] : [{ field, operator: 'eq', value }])),
    ...(filters.status ? [{ field: 'status', operator: filters.status === 'errors' ? 'gte' : 'lt', value: 400 }] : []),
  ] as AnalyticsFilters;
}
