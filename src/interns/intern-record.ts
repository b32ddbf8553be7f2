import type { AuditActor } from '../audit/audit-entry.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import type { RuntimePlace } from '../runtimes/runtime.driver.js';
import type { InternStatus } from './lifecycle.js';

/** The fields that callers may change; undefined = unchanged. */
export interface InternFields {
  readonly name?: string;
  readonly description?: string | null;
  readonly instructions?: string | null;
  readonly model?: string | null;
}

/** A valid request to create an intern, with its defaults filled in. */
export interface NewIntern {
  readonly name: string;
  readonly description: string | null;
  readonly instructions: string | null;
  readonly provision: boolean;
  /** The vault of another intern, to be attached. */
  readonly vaultId: string | null;
}

/** The fields of an intern that the API returns. */
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

/** An intern that is leased by a worker. */
export interface Job extends RuntimePlace {
  /** Identifies one lease of the job; never reused. */
  readonly claim: string;
  /** A write of the worker has an effect only if the row still has this value. */
  readonly fence: number;
  readonly status: InternStatus;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly creatorUserId: string;
  readonly creatorKeyNo: number | null;
  readonly name: string;
  readonly description: string | null;
  readonly instructions: string | null;
  readonly model: string | null;
  readonly hostname: string | null;
  readonly attempts: number;
  /** Whether a runtime may exist from an earlier boot. */
  readonly wasBooted: boolean;
  readonly isPastDeadline: boolean;
  /** Milliseconds from when the job was taken to its deadline; null without a deadline. */
  readonly deadlineInMs: number | null;
  readonly lossAcknowledged: boolean;
}

/** The worker no longer has the lease of the intern. Nothing was written, and the worker must stop. */
export class LostLease extends Error {
  override name = 'LostLease';
}

/** The hostname of an intern: its name, and the end of its id, which makes the hostname unique. */
export const hostnameOf = ({ name, internId }: Pick<Job, 'name' | 'internId'>, suffix: string): string =>
  `${name}-${internId.slice(-8)}.${suffix}`;

/**
 * The member who acts through a key, in the key's workspace. A member can access only the interns that this member
 * owns.
 */
export interface Actor {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly userId: string;
  /** The key in use, for the audit trail. */
  readonly keyHash: string;
  /** The number of the same key in the ledger. Interns that the key creates spend from its limit. */
  readonly keyNo: number;
  /** Where the request came from, for the audit trail. */
  readonly place?: CallerPlace;
}

export const auditActorOf = ({ accountId, keyHash, userId, place }: Actor): AuditActor => ({
  accountId,
  keyHash,
  creatorUserId: userId,
  place,
});
