import type { GroupMapping, IdentityProvider } from '../config/identity-provider-variables.js';
import { isAbove, type Role, type WorkspaceRole } from '../kernel/access/permissions.js';
import { groupsIn } from './group-claim.js';
import type { IdentityClaims } from './identity-provider.port.js';
import { SignInRefused } from './sign-in-refused.js';

/** The role and the workspaces that a person gets from groups. */
interface GivenRole {
  readonly role: Role;
  /** By slug. */
  readonly workspaces: ReadonlyMap<string, WorkspaceRole>;
}

/**
 * The highest role of the groups, and the workspaces of all groups. Null if no group matches, or if the configuration
 * gives no roles by groups. Throws SignInRefused if the provider sent no list of groups, because the role is then
 * unknown.
 */
export function roleOfGroups({ roles, groupsClaim }: IdentityProvider, claims: IdentityClaims): GivenRole | null {
  if (roles.length === 0) return null;
  const groups = groupsIn(claims, groupsClaim);
  if (typeof groups === 'string') throw new SignInRefused(groups === 'missing' ? 'groups_missing' : 'groups_overage');
  const matching = roles.filter(({ group }) => groups.includes(group));
  if (matching.length === 0) return null;
  return { role: highestOf(matching), workspaces: workspacesOfGroups(matching) };
}

const highestOf = (mappings: readonly GroupMapping[]): Role =>
  mappings.map(({ role }) => role).reduce((highest, role) => (isAbove(role, highest) ? role : highest));

function workspacesOfGroups(mappings: readonly GroupMapping[]): Map<string, WorkspaceRole> {
  const found = new Map<string, WorkspaceRole>();
  for (const { slug, role } of mappings.flatMap(({ workspaces }) => workspaces))
    if (found.get(slug) !== 'admin') found.set(slug, role);
  return found;
}
