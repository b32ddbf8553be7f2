import { queryOptions } from '@tanstack/react-query';
import { QUERY_KEYS } from './query-keys';
import { api, body } from './client';
import { queries } from './queries';
import type { InternRecord, InternSession } from './records';

const PAGE = 100;
const POLL_MS = 2_000;

/** States that end by themselves. */
const PASSING: ReadonlySet<InternRecord['status']> = new Set(['queued', 'provisioning', 'destroying']);
const pollWhile = (isPassing: boolean | undefined): number | false => (isPassing ? POLL_MS : false);

export const internList = queryOptions({
  queryKey: QUERY_KEYS.interns,
  queryFn: async () => (await body(api.GET('/api/v1/interns', { params: { query: { limit: PAGE } } }))).data,
  refetchInterval: ({ state }) => pollWhile(state.data?.some(({ status }) => PASSING.has(status))),
});

export const internOf = (id: string) =>
  queryOptions({
    queryKey: QUERY_KEYS.intern(id),
    queryFn: (): Promise<InternRecord> => body(api.GET('/api/v1/interns/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => pollWhile(state.data && PASSING.has(state.data.status)),
  });

export const secretsOf = (id: string) =>
  queryOptions({
    queryKey: QUERY_KEYS.internSecrets(id),
    queryFn: async () =>
      (await body(api.GET('/api/v1/vault/interns/{id}/secrets/effective', { params: { path: { id } } }))).data,
  });

/** All sessions, page by page. They are stored on the intern's disk, so the intern must be running. */
export const sessionsOf = (id: string) =>
  queryOptions({
    queryKey: QUERY_KEYS.internSessions(id),
    queryFn: async (): Promise<InternSession[]> => {
      const sessions: InternSession[] = [];
      for (let starting_after: string | undefined; ;) {
        const query = { limit: PAGE, starting_after };
        const page = await body(api.GET('/api/v1/interns/{id}/sessions', { params: { path: { id }, query } }));
        sessions.push(...page.data);
        if (!page.next_cursor) return sessions;
        starting_after = page.next_cursor;
      }
    },
    // Every turn changes the sessions.
    staleTime: 0,
  });

export const internsChanged = (): Promise<void> => queries.invalidateQueries({ queryKey: QUERY_KEYS.interns });
