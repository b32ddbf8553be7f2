import { ACCESS, type AccessClass } from '../../kernel/access/access-matrix.js';
import { PERMISSIONS, ROLES, WORKSPACE_ADMIN_PERMISSIONS, type Permission } from '../../kernel/access/permissions.js';
import { STATUS } from '../../kernel/errors/error-status.js';
import type { KeyClass } from '../../kernel/principal.js';

const NAMES: Readonly<Record<KeyClass, string>> = {
  standard: 'standard keys',
  management: 'management keys',
  intern: "an intern's own key",
};

/** The sentence that says which classes of keys may call an operation, from the access matrix. */
export function keyClassesOf(accessClass: AccessClass): string {
  const verdicts = ACCESS[accessClass];
  if (verdicts === null) return '**Key:** none is needed.';
  const classes = Object.entries(verdicts) as [KeyClass, keyof typeof STATUS | 'allow'][];
  const allowed = classes.flatMap(([name, verdict]) => (verdict === 'allow' ? [NAMES[name]] : []));
  const refused = classes.flatMap(([name, verdict]) =>
    verdict === 'allow' ? [] : [`${NAMES[name]} with ${STATUS[verdict]}`],
  );
  const refusal = refused.length > 0 ? ` Refused: ${refused.join(', ')}.` : '';
  return `**Key:** ${allowed.join(', ')}.${refusal}`;
}

const EXTENTS = { all: '', workspace: ' (in own workspaces)', own: ' (own)' } as const;

/** The sentence that says which roles may call an operation, from the table of permissions. */
export function rolesOf(permission: Permission): string {
  const allowed = ROLES.flatMap((role) => {
    const extent = PERMISSIONS[permission][role];
    return extent === 'none' ? [] : [role + EXTENTS[extent]];
  });
  const admins = WORKSPACE_ADMIN_PERMISSIONS.has(permission) ? ['the admin of a workspace in it'] : [];
  return `**Role:** ${[...allowed, ...admins].join(', ')}; permission \`${permission}\`.`;
}

/** Whether a role lacks the permission. */
export const isRefusedToSome = (permission: Permission): boolean =>
  ROLES.some((role) => PERMISSIONS[permission][role] === 'none');
