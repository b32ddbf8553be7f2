import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';
import { namesChanged } from '../names/name-store';
import { useNames } from '../names/use-names';
import { QUERY_KEYS } from './query-keys';
import { api, body } from './client';
import { queries } from './queries';
import type { FormerSecret, KeyRecord, KeySettings, KeySummary } from './records';
import type { components, operations } from './schema';

type KeyPageBody = components['schemas']['KeySummaryListResponse'];
type KeyQuery = NonNullable<operations['listKeySummaries']['parameters']['query']>;
export type KeySort = NonNullable<KeyQuery['sort']>;
export type SortDirection = NonNullable<KeyQuery['direction']>;

const PAGE = 100;

export const useKey = (hash: string): UseQueryResult<KeyRecord> =>
  useQuery({
    queryKey: QUERY_KEYS.key(hash),
    queryFn: async () => (await body(api.GET('/api/v1/keys/{hash}', { params: { path: { hash } } }))).data,
  });

export const useKeySettings = (hash: string): UseQueryResult<KeySettings> =>
  useQuery({
    queryKey: QUERY_KEYS.keySettings(hash),
    queryFn: async () => (await body(api.GET('/api/v1/keys/{hash}/settings', { params: { path: { hash } } }))).data,
  });

/** The name of a key by its hash, or a part of the hash if the key is unknown. */
export function useKeyNames(): (hash: unknown) => string {
  const names = useNames();
  return useCallback((hash) => (typeof hash === 'string' ? names.key(hash) : 'none'), [names]);
}

export interface KeyFilters {
  readonly q?: string;
  readonly workspace_id?: string;
  readonly creator_user_id?: string;
  readonly state?: KeySummary['state'];
  readonly sort?: KeySort;
  readonly direction?: SortDirection;
}

/** A page of the keys of all workspaces, with the names of owners and workspaces. */
export const keyPage = (filters: KeyFilters, cursor?: string, limit = PAGE): Promise<KeyPageBody> =>
  body(api.GET('/api/v1/key-list', { params: { query: { ...filters, cursor, limit } } }));

/** The names of a key's owner and workspace, and the used share of its limit. Null for keys of sessions and interns. */
export const useKeySummary = (hash: string | undefined): UseQueryResult<KeySummary | null> =>
  useQuery({
    queryKey: QUERY_KEYS.keySummary(hash ?? ''),
    enabled: hash !== undefined,
    queryFn: async () => (await keyPage({ q: hash }, undefined, 1)).data[0] ?? null,
  });

/** The former secrets of a key: rotations have replaced them, but they are still valid. */
export const useFormerSecrets = (hash: string): UseQueryResult<FormerSecret[]> =>
  useQuery({
    queryKey: QUERY_KEYS.formerSecrets(hash),
    queryFn: async () =>
      (await body(api.GET('/api/v1/keys/{hash}/former-secrets', { params: { path: { hash } } }))).data,
  });

export function keysChanged(): Promise<void> {
  namesChanged();
  return queries.invalidateQueries({ queryKey: QUERY_KEYS.keys });
}

/** Caches a rotated key under its new hash. */
export function keyReplaced(record: KeyRecord): void {
  queries.setQueryData(QUERY_KEYS.key(record.hash), record);
}
