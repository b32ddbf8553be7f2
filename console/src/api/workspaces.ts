import { queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { allPages } from './all-pages';
import { QUERY_KEYS } from './query-keys';
import { api, body } from './client';
import { queries } from './queries';
import type { WorkspaceRecord } from './records';
import { useMay } from './session';
import { shortOf } from '../names/use-names';
import { t } from '../text/translate';

const PAGE = 100;

/** All workspaces of the account, page by page. */
const workspaceList = queryOptions({
  queryKey: QUERY_KEYS.workspaces,
  queryFn: () =>
    allPages(
      PAGE,
      async (offset): Promise<WorkspaceRecord[]> =>
        (await body(api.GET('/api/v1/workspaces', { params: { query: { offset, limit: PAGE } } }))).data,
    ),
});

/** The workspaces of the account, if the session may read them. */
export function useWorkspaces(): UseQueryResult<WorkspaceRecord[]> {
  const isAllowed = useMay('workspaces.read');
  return useQuery({ ...workspaceList, enabled: isAllowed });
}

/** The name of a workspace by its id; null = all. */
export function useWorkspaceNames(): (id: string | null) => string {
  const { data } = useWorkspaces();
  return (id) => (id === null ? t('All') : (data?.find((workspace) => workspace.id === id)?.name ?? shortOf(id)));
}

/**
 * All workspaces, for operations that list the entries of only one workspace, such as its files. Without a workspace
 * id, these operations list the entries of the default workspace.
 */
export const allWorkspaces = (): Promise<WorkspaceRecord[]> => queries.query(workspaceList);

/** Joins the lists of all workspaces. `read` returns the entries of a workspace from an offset on. */
export async function ofAllWorkspaces<T>(
  read: (workspaceId: string, offset: number) => Promise<readonly T[]>,
  pageSize: number,
): Promise<T[]> {
  const workspaces = await allWorkspaces();
  return (await Promise.all(workspaces.map(({ id }) => allPages(pageSize, (offset) => read(id, offset))))).flat();
}
