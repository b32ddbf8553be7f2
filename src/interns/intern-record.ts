import type { AuditActor } from '../audit/audit-entry.js';
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
}

export const auditActor = ({ accountId, keyHash, userId }: Actor): AuditActor => ({ accountId, keyHash, creatorUserId: userId });
