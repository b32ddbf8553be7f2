import type { Role, WorkspaceRole } from '../kernel/access/permissions.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import type { Principal } from '../kernel/principal.js';
import type { SettingChange } from './setting-changes.js';

/** The actor: a key, the operator on the command line, or the service itself. */
export type AuditActor = Pick<Principal, 'accountId' | 'keyHash' | 'creatorUserId' | 'place'> | 'operator' | 'service';

export const AUDIT_ACTIONS = [
  'create',
  'update',
  'delete',
  'rotate',
  'use',
  'copy',
  'provision',
  'start',
  'allow',
  'reject',
  'answer',
  'refuse',
  'suspend',
  'deactivate',
  'grant',
  'backup',
  'restore',
  'rebuild',
  'seed',
  'sweep',
  'import',
  'sign_in',
  'sign_in_refused',
  'sign_out',
] as const;
/**
 * The action. `use`: a sealed secret was opened, or a file was read for a call. `allow`, `reject`, `answer`: a user
 * responded to a question of an intern. `refuse`: the egress proxy refused an intern a host or a secret, a member was
 * not allowed to set or change a role, or an authorization code was used a second time.
 */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** One action. It never contains a secret or the text of a call. */
export interface AuditEntry {
  readonly by: AuditActor;
  readonly action: AuditAction;
  /** The kind of resource, as named in the glossary: `api_key`, `workspace`, `byok_credential`, `vault_secret`, … */
  readonly kind: string;
  /** The id of the resource. For a named resource: `<container id>/<name>`, such as `<vaultId>/<name>`. */
  readonly id: string;
  /** The account that owns the resource. Set only if `by` is not a key. */
  readonly accountId?: string | null;
  /** The role that was set or refused. */
  readonly role?: Role | WorkspaceRole;
  /** The changed settings. Absent if changes are not recorded for this kind of action. */
  readonly changes?: readonly SettingChange[];
  /** Set if `by` has no place. Absent in both if no request caused the action. */
  readonly place?: CallerPlace;
}

/** A stored entry. */
export interface AuditRecord {
  /** Increases with every entry. */
  readonly no: bigint;
  readonly at: Date;
  readonly actor: 'key' | 'operator' | 'service';
  readonly accountId: string | null;
  readonly keyHash: string | null;
  readonly userId: string | null;
  readonly action: string;
  readonly kind: string;
  readonly id: string;
  readonly role: string | null;
  readonly changes: readonly SettingChange[] | null;
  readonly address: string | null;
  readonly requestId: string | null;
}
