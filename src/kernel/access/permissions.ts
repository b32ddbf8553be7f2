/** The roles of a member in an account, from most to least powerful. */
export const ROLES = ['owner', 'admin', 'billing', 'developer', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

/** The roles of a member in a workspace. */
export const WORKSPACE_ROLES = ['admin', 'member'] as const;

export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];

/**
 * The rows that a permission covers: all of the account, the rows of the member's workspaces, the rows that the member
 * created, or none (403).
 */
export type Extent = 'all' | 'workspace' | 'own' | 'none';

/** One row per permission, one column per role. Keys without a role have the permissions of their class (ACCESS). */
export const PERMISSIONS = {
  /** Models, providers, benchmarks, and the caller's own key. */
  'catalogue.read': { owner: 'all', admin: 'all', billing: 'all', developer: 'all', viewer: 'all' },
  /** Aliases of models, own providers and their models. Only for keys of the operator's account. */
  'catalogue.write': { owner: 'all', admin: 'all', billing: 'none', developer: 'none', viewer: 'none' },
  inference: { owner: 'all', admin: 'all', billing: 'none', developer: 'workspace', viewer: 'none' },
  interns: { owner: 'all', admin: 'all', billing: 'none', developer: 'own', viewer: 'none' },
  vault: { owner: 'all', admin: 'all', billing: 'none', developer: 'own', viewer: 'none' },
  'keys.read': { owner: 'all', admin: 'all', billing: 'all', developer: 'own', viewer: 'own' },
  'keys.write': { owner: 'all', admin: 'all', billing: 'none', developer: 'own', viewer: 'none' },
  /** Management keys. */
  'keys.manage': { owner: 'all', admin: 'all', billing: 'none', developer: 'none', viewer: 'none' },
  /** Records of single calls, and their stored texts. */
  'usage.calls': { owner: 'all', admin: 'all', billing: 'none', developer: 'own', viewer: 'none' },
  'usage.sums': { owner: 'all', admin: 'all', billing: 'all', developer: 'workspace', viewer: 'workspace' },
  'credits.read': { owner: 'all', admin: 'all', billing: 'all', developer: 'none', viewer: 'none' },
  'budgets.read': { owner: 'all', admin: 'all', billing: 'all', developer: 'own', viewer: 'workspace' },
  'budgets.write': { owner: 'all', admin: 'all', billing: 'all', developer: 'none', viewer: 'none' },
  'members.read': { owner: 'all', admin: 'all', billing: 'all', developer: 'workspace', viewer: 'workspace' },
  /** Roles, invitations and removal. An admin cannot change an owner. */
  'members.write': { owner: 'all', admin: 'all', billing: 'none', developer: 'none', viewer: 'none' },
  /** Changes of the members of a workspace. */
  'workspace-members.write': { owner: 'all', admin: 'all', billing: 'none', developer: 'none', viewer: 'none' },
  'workspaces.read': { owner: 'all', admin: 'all', billing: 'all', developer: 'workspace', viewer: 'workspace' },
  'workspaces.write': { owner: 'all', admin: 'all', billing: 'none', developer: 'none', viewer: 'none' },
  /** Creating and deleting workspaces. */
  'workspaces.manage': { owner: 'all', admin: 'all', billing: 'none', developer: 'none', viewer: 'none' },
  'byok.read': { owner: 'all', admin: 'all', billing: 'none', developer: 'workspace', viewer: 'none' },
  'byok.write': { owner: 'all', admin: 'all', billing: 'none', developer: 'none', viewer: 'none' },
  /** The platform's credentials for vendors. Only for keys of the operator's account. */
  'channels.read': { owner: 'all', admin: 'all', billing: 'none', developer: 'none', viewer: 'none' },
  'channels.write': { owner: 'all', admin: 'all', billing: 'none', developer: 'none', viewer: 'none' },
  files: { owner: 'all', admin: 'all', billing: 'none', developer: 'workspace', viewer: 'none' },
  'end-users.read': { owner: 'all', admin: 'all', billing: 'all', developer: 'all', viewer: 'none' },
  'end-users.write': { owner: 'all', admin: 'all', billing: 'none', developer: 'all', viewer: 'none' },
  webhooks: { owner: 'all', admin: 'all', billing: 'none', developer: 'none', viewer: 'none' },
  'audit.read': { owner: 'all', admin: 'all', billing: 'none', developer: 'none', viewer: 'none' },
  /** Identity providers and federation policies. */
  'identity.read': { owner: 'all', admin: 'all', billing: 'none', developer: 'none', viewer: 'none' },
  /** Only owners, because a caller who changes how identity providers map groups to roles can create owners. */
  'identity.write': { owner: 'all', admin: 'none', billing: 'none', developer: 'none', viewer: 'none' },
  /** The caller's own session, identities and sign-ins. */
  session: { owner: 'own', admin: 'own', billing: 'own', developer: 'own', viewer: 'own' },
} as const satisfies Record<string, Record<Role, Extent>>;

export type Permission = keyof typeof PERMISSIONS;

/** The additional permissions of a workspace's admin, in that workspace only. */
export const WORKSPACE_ADMIN_PERMISSIONS: ReadonlySet<Permission> = new Set<Permission>([
  'keys.read',
  'keys.write',
  'workspace-members.write',
  'members.read',
  'byok.read',
  'byok.write',
  'workspaces.read',
  'workspaces.write',
  'usage.sums',
  'usage.calls',
]);

/** Metadata key of a route's permission. The guard in auth/ checks it for keys that have a role. */
export const PERMISSION_METADATA = 'gatehouse:permission';

/** The member of an operation in the OpenAPI document that names its permission. */
export const PERMISSION_EXTENSION = 'x-permission';

/** Whether `role` is above `other`. */
export const isAbove = (role: Role, other: Role): boolean => ROLES.indexOf(role) < ROLES.indexOf(other);

export const isRole = (word: string): word is Role => (ROLES as readonly string[]).includes(word);
