import type { Principal, RowBounds } from '../principal.js';
import { PERMISSIONS, WORKSPACE_ADMIN_PERMISSIONS, type Permission } from './permissions.js';

/**
 * The rows of one account that a caller may read or change. Functions that list or find rows take a Reach instead of an
 * account's id, so that no filter is forgotten. A Principal is a Reach for the permission of its route.
 */
export type Reach = Pick<Principal, 'accountId' | 'accountNo' | 'isOperator' | 'only'>;

/**
 * The rows that the permission covers for the caller: `all`, some rows, or null if the role does not have the
 * permission.
 */
export function rowsOf(caller: Principal, permission: Permission): 'all' | RowBounds | null {
  const { role, memberships = [] } = caller;
  if (role === undefined) return 'all';
  const extent = PERMISSIONS[permission][role];
  if (extent === 'all') return 'all';
  if (extent === 'workspace') return { workspaces: memberships, userId: null };
  const administered = WORKSPACE_ADMIN_PERMISSIONS.has(permission)
    ? memberships.filter((membership) => membership.role === 'admin')
    : [];
  if (extent === 'own') return { workspaces: administered, userId: caller.creatorUserId };
  return administered.length === 0 ? null : { workspaces: administered, userId: null };
}

/** Permissions that need a standard key. */
const OF_CALLS: ReadonlySet<Permission> = new Set<Permission>(['inference', 'interns', 'vault']);
/** The permissions of a standard key. */
const OF_STANDARD_KEYS: ReadonlySet<Permission> = new Set<Permission>([
  ...OF_CALLS,
  'catalogue.read',
  'usage.calls',
  'byok.read',
  'session',
]);

/**
 * The permissions that a caller has for at least some rows. `hasCallsKey`: the caller has a standard key besides the
 * management key.
 */
export const permissionsOf = (caller: Principal, hasCallsKey: boolean): readonly Permission[] =>
  (Object.keys(PERMISSIONS) as Permission[]).filter((permission) =>
    caller.keyClass === 'management'
      ? (hasCallsKey || !OF_CALLS.has(permission)) && rowsOf(caller, permission) !== null
      : OF_STANDARD_KEYS.has(permission),
  );

/** The workspaces whose rows a reach covers, by id; undefined = all workspaces. */
export const workspacesOf = ({ only }: Pick<Reach, 'only'>): readonly string[] | undefined =>
  only?.workspaces.map(({ workspaceId }) => workspaceId);

/** The caller with the reach of another permission; without any rows if the role does not have the permission. */
export function withRowsOf(caller: Principal, permission: Permission): Principal {
  const rows = rowsOf(caller, permission);
  return { ...caller, only: rows === 'all' ? undefined : (rows ?? { workspaces: [], userId: null }) };
}

/** Whether a reach covers every row of a workspace. */
export const coversWorkspace = ({ only }: Pick<Reach, 'only'>, workspaceId: string): boolean =>
  only === undefined || only.workspaces.some((membership) => membership.workspaceId === workspaceId);
