import type { AnalyticsQuery } from '../../api/records';
import type { TimeRange } from '../../format/ranges';
import { t } from '../../text/translate';

export type CallKind = (typeof CALL_KINDS)[number];

export const CALL_KINDS = ['chat', 'embeddings', 'image', 'speech', 'transcription', 'rerank'] as const;
/** The possible statuses of calls, with their meanings. */
export const STATUSES = [
  ['200', 'OK'],
  ['400', t('Bad request')],
  ['402', t('No credits or limit')],
  ['403', t('Refused')],
  ['404', t('Not found')],
  ['408', t('Timed out')],
  ['413', t('Too large')],
  ['422', t('Unprocessable')],
  ['429', t('Too many requests')],
  ['499', t('Caller left')],
  ['500', t('Internal error')],
  ['502', t('Provider failed')],
  ['503', t('Unavailable')],
  ['524', t('Provider silent')],
  ['529', t('Provider overloaded')],
] as const;

/** The filters of the list, by their names in the address. */
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

/** Reads the filters in an address and drops malformed ones. */
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

/** The filters for the same calls in a query of sums; undefined if sums do not support one of them. */
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
