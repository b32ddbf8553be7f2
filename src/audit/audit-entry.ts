import type { CallerPlace } from '../kernel/caller-place.js';
import type { Principal } from '../kernel/principal.js';

/** Who did it: the caller's key, whoever runs the service by its command line, or the service by itself. */
export type AuditActor = Pick<Principal, 'accountId' | 'keyHash' | 'creatorUserId'> | 'operator' | 'service';

/** What was done to a thing of ours. `use` is every opening of a sealed secret. */
export type AuditAction =
  | 'create'
  | 'update'
  | 'delete'
  | 'rotate'
  | 'use'
  | 'copy'
  | 'provision'
  | 'suspend'
  | 'grant'
  | 'backup'
  | 'restore'
  | 'rebuild'
  | 'seed'
  | 'sweep'
  | 'import';

/** One thing done. Never holds a value: neither a secret nor what a field was changed to. */
export interface AuditEntry {
  readonly by: AuditActor;
  readonly action: AuditAction;
  /** The kind of thing in the words of the glossary: `api_key`, `workspace`, `byok_credential`, `vault_secret`, … */
  readonly kind: string;
  /** Its id, or for a named thing the id of what holds it and its name (`<vaultId>/<name>`). */
  readonly id: string;
  /** Whose thing it is; needed only where `by` is no key. */
  readonly accountId?: string | null;
  /** Absent where no request caused it. */
  readonly place?: CallerPlace;
}

/** An entry as it is kept. */
export interface AuditRecord {
  readonly at: Date;
  readonly actor: 'key' | 'operator' | 'service';
  readonly accountId: string | null;
  readonly keyHash: string | null;
  readonly userId: string | null;
  readonly action: string;
  readonly kind: string;
  readonly id: string;
  readonly address: string | null;
  readonly requestId: string | null;
}
