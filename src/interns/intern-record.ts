import type { AuditEntry } from '../audit/audit-entry.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import type { InternStatus } from './lifecycle.js';

/** An intern as the API shows it. */
export interface InternRecord {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly instructions: string | null;
  readonly model: string | null;
  readonly status: InternStatus;
  readonly lastFailureMessage: string | null;
  readonly progressStep: number | null;
  readonly hostname: string | null;
  readonly workspaceId: string;
  readonly vaultId: string | null;
  readonly attachedVaultId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The columns of an InternRecord, for `select` and `returning`. */
export const INTERN_COLUMNS = `id, name, description, instructions, model, status, last_failure_message as "lastFailureMessage", progress_step as "progressStep",
  hostname, workspace_id as "workspaceId", vault_id as "vaultId", attached_vault_id as "attachedVaultId", created_at as "createdAt", updated_at as "updatedAt"`;

/** The member who acts through a key, in the key's workspace: who owns interns, and sees them. */
export interface Actor {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly userId: string;
  /** The key in use, for the audit trail. */
  readonly keyHash: string;
  /** Where the request came from, for the audit trail too. */
  readonly place?: CallerPlace;
}

/** Who did it, and from where. */
export const auditedAs = ({ accountId, keyHash, userId, place }: Actor): Pick<AuditEntry, 'by' | 'place'> => ({
  by: { accountId, keyHash, creatorUserId: userId },
  place,
});
