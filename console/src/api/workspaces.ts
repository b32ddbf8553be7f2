import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, body } from './client';
import type { WorkspaceRecord } from './records';
import { hasRight, useSignedIn } from './session';

export const WORKSPACES = ['workspaces'] as const;
const LIMIT = 100;

/** The workspaces of the account, where the session may read them. */
export function useWorkspaces(): UseQueryResult<WorkspaceRecord[]> {
  const isAllowed = hasRight(useSignedIn(), 'management');
  return useQuery({
    queryKey: WORKSPACES,
    queryFn: async () => (await body(api.GET('/api/v1/workspaces', { params: { query: { limit: LIMIT } } }))).data,
    enabled: isAllowed,
  });
}
