import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { forgetNames } from '../names/name-store';
import { QUERY_KEYS } from './query-keys';
import { ApiFault } from './api-fault';
import { queries } from './queries';
import type { Session } from './records';
import { forgetTalks, openTalks } from '../talks/kept-store';

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

/** Whether the browser has the session cookie, which scripts cannot read. */
async function hasCookie(): Promise<boolean> {
  const response = await fetch(`${PATH}/state`);
  if (!response.ok) throw await ApiFault.of(response);
  return ((await response.json()) as { data: { has_cookie: boolean } }).data.has_cookie;
}

/** A session. If it ends while its pages are open, the pages stay, so that no input is lost. */
export type KnownSession = Session & { readonly hasEnded?: true };

/** Whether two sessions belong to the same person or, if keys signed in, to keys of the same account. */
const isOfSame = (before: Session, session: Session): boolean =>
  before.account_id === session.account_id && before.user?.id === session.user?.id;

async function currentSession(): Promise<KnownSession | null> {
  const session = (await hasCookie()) ? await send('GET') : null;
  const before = queries.getQueryData<KnownSession | null>(QUERY_KEYS.session);
  // Another tab signed in as another person, so this tab must not show the loaded data.
  if (before && session && !isOfSame(before, session)) location.reload();
  openTalks(session);
  return session ?? (before ? { ...before, hasEnded: true } : null);
}

/** Other tabs share the cookie, so they must read the session again after a sign-in or a sign-out. */
const otherTabs = new BroadcastChannel('gatehouse session');
otherTabs.addEventListener('message', () => void queries.invalidateQueries({ queryKey: QUERY_KEYS.session }));

/** Null if no one is signed in. */
export const useSession = (): UseQueryResult<KnownSession | null> =>
  useQuery({ queryKey: QUERY_KEYS.session, queryFn: currentSession, staleTime: 60_000 });

/** The session for components in the shell, where a session always exists. */
export function useSignedIn(): Session {
  const { data } = useSession();
  if (!data) throw new Error('used outside a session');
  return data;
}

/** Whether the session has a permission, at least for some rows. */
export const useMay = (permission: Permission): boolean => useSignedIn().permissions.includes(permission);

/**
 * After a new sign-in, keeps the pages of an ended session if the same person signed in. Otherwise reloads, because
 * another person or another key may have different permissions.
 */
function goOn(before: Session, session: Session): void {
  if (!session.user || !isOfSame(before, session)) return location.reload();
  openTalks(session);
  queries.setQueryData(QUERY_KEYS.session, session);
  void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== QUERY_KEYS.session[0] });
}

/**
 * Whether the session's role restricts lists and rankings to the user's own keys and calls (decision 0072). It does not
 * restrict the sums of a workspace.
 */
export function useSeesOwnOnly(): boolean {
  const { role } = useSignedIn();
  return role === 'developer' || role === 'viewer';
}

/** Makes `session` the current session. Deletes the data that the former session read, unless `goOn` keeps it. */
function begin(session: Session | null): void {
  otherTabs.postMessage(null);
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

/** Changes the workspace of the session's calls, and the spending limit of the session. */
export async function changeSpending(spending: { workspace_id: string; limit: number | null }): Promise<void> {
  queries.setQueryData(QUERY_KEYS.session, await send('PUT', spending));
  await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== QUERY_KEYS.session[0] });
}
