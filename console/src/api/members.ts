import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { allPages } from './all-pages';
import { api, body } from './client';
import { queries } from './queries';
import { QUERY_KEYS } from './query-keys';
import type { Invitation, Member, Session } from './records';
import { t } from '../text/translate';

const PAGE = 100;
/** Maximum size of a page of members, which is larger than for other lists. */
const MEMBERS_PAGE = 500;

export type Role = NonNullable<Session['role']>;

/** The roles that a member with this role may give, most powerful first. */
export const rolesToGive = (own: Role | null): readonly Role[] =>
  own === 'admin' ? ROLES.filter((role) => role !== 'owner') : ROLES;

export const ROLES: readonly Role[] = ['owner', 'admin', 'billing', 'developer', 'viewer'];

/** The purpose of each role, in a few words. */
export const ROLE_MEANINGS: Readonly<Record<Role, string>> = {
  owner: t('everything, identity providers too'),
  admin: t('everything but owners and identity providers'),
  billing: t('reads usage, credits and members; makes no calls'),
  developer: t('own keys, calls and interns in own workspaces'),
  viewer: t('reads totals of own workspaces; makes no calls'),
};

const membersFrom = async (offset: number): Promise<Member[]> =>
  (await body(api.GET('/api/v1/members', { params: { query: { offset, limit: MEMBERS_PAGE } } }))).data;

export const useMembers = (isAllowed = true): UseQueryResult<Member[]> =>
  useQuery({ queryKey: QUERY_KEYS.members, queryFn: () => allPages(MEMBERS_PAGE, membersFrom), enabled: isAllowed });

/** The invitations that can still be used. */
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
