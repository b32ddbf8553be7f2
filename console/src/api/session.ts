import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { forgetNames } from '../names/name-store';
import { QUERY_KEYS } from './query-keys';
import { ApiFault } from './api-fault';
import { queries } from './queries';
import type { Session } from './records';
import { forgetTalks, openTalks } from '../talks/kept-talks';

const PATH = '/console/session';

export type Permission = Session['permissions'][number];

async function send(method: string, json?: object): Promise<Session | null> {
  const response = await fetch(PATH, {
    method,
    ...(json ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) } : {}),
  });
  if (method === 'GET' && response.status === 401) return null;
  if (!response.ok) throw await ApiFault.of(response);
  return response.status === 204 ? null : ((await response.json()) as { data: Session }).data;
}

/** The cookie is out of reach of scripts. */
async function hasCookie(): Promise<boolean> {
  const response = await fetch(`${PATH}/state`);
  if (!response.ok) throw await ApiFault.of(response);
  return ((await response.json()) as { data: { has_cookie: boolean } }).data.has_cookie;
}

/** A session, or the one that has ended while its pages are open: they keep what was typed into them. */
export type KnownSession = Session & { readonly hasEnded?: true };

async function currentSession(): Promise<KnownSession | null> {
  const session = (await hasCookie()) ? await send('GET') : null;
  openTalks(session);
  const before = queries.getQueryData<KnownSession | null>(QUERY_KEYS.session);
  return session ?? (before ? { ...before, hasEnded: true } : null);
}

/** Null if nobody is signed in. */
export const useSession = (): UseQueryResult<KnownSession | null> =>
  useQuery({ queryKey: QUERY_KEYS.session, queryFn: currentSession, staleTime: 60_000 });

/** The session inside the shell, where one exists. */
export function useSignedIn(): Session {
  const { data } = useSession();
  if (!data) throw new Error('used outside a session');
  return data;
}

/** Whether the session has a permission, at least for some rows. */
export const useMay = (permission: Permission): boolean => useSignedIn().permissions.includes(permission);

/** The pages of a session that had ended are shown again, unless it was another person's. */
function goOn(before: Session, session: Session): void {
  if (before.user?.id !== session.user?.id) return location.reload();
  openTalks(session);
  queries.setQueryData(QUERY_KEYS.session, session);
  void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== QUERY_KEYS.session[0] });
}

/** What an earlier session read is forgotten. */
function begin(session: Session | null): void {
  const before = queries.getQueryData<KnownSession | null>(QUERY_KEYS.session);
  if (before?.hasEnded && session) return goOn(before, session);
  forgetNames();
  openTalks(session);
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== QUERY_KEYS.session[0] });
  queries.setQueryData(QUERY_KEYS.session, session);
}

export async function signIn(
  by: { code: string } | { key: string } | { invitation: string; name: string },
): Promise<void> {
  begin(await send('POST', by));
}

export async function signOut(): Promise<void> {
  await send('DELETE');
  forgetTalks();
  begin(null);
}

/** The workspace in which the session spends, and how much it may spend there. */
export async function changeSpending(spending: { workspace_id: string; limit: number | null }): Promise<void> {
  queries.setQueryData(QUERY_KEYS.session, await send('PUT', spending));
  await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== QUERY_KEYS.session[0] });
}
