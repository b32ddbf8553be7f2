import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';
import { namesChanged } from '../names/name-store';
import { useNames } from '../names/use-names';
import { QUERY_KEYS } from './query-keys';
import { api, body } from './client';
import { queries } from './queries';
import type { KeyRecord, KeySettings } from './records';
import { useMay } from './session';
import { ofAllWorkspaces } from './workspaces';

const PAGE = 100;

/** The keys of all workspaces, the newest first. */
async function allKeys(): Promise<KeyRecord[]> {
  const keys = await ofAllWorkspaces(async (workspace_id, offset) => {
    const query = { workspace_id, offset, include_disabled: true };
    return (await body(api.GET('/api/v1/keys', { params: { query } }))).data;
  }, PAGE);
  return keys.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
}

export function useKeys(): UseQueryResult<KeyRecord[]> {
  const isAllowed = useMay('keys.read');
  return useQuery({ queryKey: QUERY_KEYS.keys, queryFn: allKeys, enabled: isAllowed });
}

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

/** The name of a key by its hash, or a part of the hash where the key is not known. */
export function useKeyNames(): (hash: unknown) => string {
  const names = useNames();
  return useCallback((hash) => (typeof hash === 'string' ? names.key(hash) : 'none'), [names]);
}

export function keysChanged(): Promise<void> {
  namesChanged();
  return queries.invalidateQueries({ queryKey: QUERY_KEYS.keys });
}

/** A rotated key has another hash. */
export function keyReplaced(record: KeyRecord): void {
  queries.setQueryData(QUERY_KEYS.key(record.hash), record);
}
