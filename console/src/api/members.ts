import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { allPages } from './all-pages';
import { api, body } from './client';
import { queries } from './queries';
import { QUERY_KEYS } from './query-keys';
import type { Invitation, Member, Session } from './records';

const PAGE = 100;

export type Role = NonNullable<Session['role']>;

/** The roles that the role may give, from most to least. */
export const rolesToGive = (own: Role | null): readonly Role[] =>
  own === 'admin' ? ROLES.filter((role) => role !== 'owner') : ROLES;

export const ROLES: readonly Role[] = ['owner', 'admin', 'billing', 'developer', 'viewer'];

/** What each role is for, in a few words. */
export const ROLE_MEANINGS: Readonly<Record<Role, string>> = {
  owner: 'everything, identity providers too',
  admin: 'everything but owners and identity providers',
  billing: 'reads usage, credits and members; makes no calls',
  developer: 'own keys, calls and interns in own workspaces',
  viewer: 'reads sums of own workspaces',
};

const membersFrom = async (offset: number): Promise<Member[]> =>
  (await body(api.GET('/api/v1/members', { params: { query: { offset, limit: PAGE } } }))).data;

export const useMembers = (isAllowed = true): UseQueryResult<Member[]> =>
  useQuery({ queryKey: QUERY_KEYS.members, queryFn: () => allPages(PAGE, membersFrom), enabled: isAllowed });

/** Those that can be used. */
export const useInvitations = (isAllowed: boolean): UseQueryResult<Invitation[]> =>
  useQuery({
    queryKey: QUERY_KEYS.invitations,
    queryFn: async () => (await body(api.GET('/api/v1/invitations', { params: { query: { limit: PAGE } } }))).data,
    enabled: isAllowed,
  });

export async function membersChanged(): Promise<void> {
  await queries.invalidateQueries({ queryKey: QUERY_KEYS.members });
  await queries.invalidateQueries({ queryKey: QUERY_KEYS.invitations });
  await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'workspace-members' });
}
