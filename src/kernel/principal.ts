import type { Role, WorkspaceRole } from './access/permissions.js';
import type { CallerLimits } from './call-limit-settings.js';
import type { CallerPlace } from './caller-place.js';

/** `management`: also known as a provisioning key. */
export type KeyClass = 'standard' | 'management' | 'intern';

/** The role with which a management key acts; `owner` if the key has no role. Null for other keys. */
export const roleOfKey = (key: { readonly keyClass: KeyClass; readonly role?: Role | null }): Role | null =>
  key.keyClass === 'management' ? (key.role ?? 'owner') : null;

/** A workspace that a member belongs to. */
export interface WorkspaceMembership {
  readonly workspaceId: string;
  readonly workspaceNo: number;
  readonly role: WorkspaceRole;
}

/** The rows of an account that a caller may read or change: rows of `workspaces`, and rows that `userId` created. */
export interface RowBounds {
  readonly workspaces: readonly WorkspaceMembership[];
  /** The user whose rows are covered in every workspace; null = no user. */
  readonly userId: string | null;
}

/** A rate limit from a key's settings. */
interface OwnRateLimit {
  readonly requestsPerMinute: number;
  /** The hash of the key that the calls count for. An intern's own key shares the count of its parent key. */
  readonly keyHash: string;
}

/** The budget of a key's sessions. */
export interface SessionBudget {
  readonly no: number;
  /** Whether a call of the key has set a limit for its session. */
  readonly isLimitedByCalls: boolean;
}

/**
 * The caller that a key resolved to. The `*No` members are the compact numbers of the same rows in the ledger and the
 * usage records.
 */
export interface Principal {
  readonly keyHash: string;
  readonly keyNo: number;
  readonly keyClass: KeyClass;
  readonly accountId: string;
  readonly accountNo: number;
  /** Whether the account is the operator's, whose keys manage the resources that all accounts share. */
  readonly isOperator?: boolean;
  readonly workspaceId: string;
  readonly workspaceNo: number;
  /** The acting member; null for a key without a member. */
  readonly creatorUserId: string | null;
  /** Whether spend on own provider credentials counts in the key's limit. */
  readonly countsByok: boolean;
  /** Set for an intern's own key. */
  readonly internId: string | null;
  /** For an intern's own key: the key that created the intern, whose limit covers the intern's calls too. */
  readonly parentKey: { readonly no: number; readonly countsByok: boolean } | null;
  /** From the settings of the workspace: the output tokens of a text call that sets no maximum. */
  readonly defaultMaxOutputTokens?: number;
  /** Set for a key whose responses are cached by default. In seconds. */
  readonly responseCacheTtlS?: number;
  /** Ids of models and `author/*`; absent = every model. An intern's own key has the list of its parent key. */
  readonly allowedModels?: readonly string[];
  /** Set for a key with a rate limit of its own. */
  readonly ownRateLimit?: OwnRateLimit;
  /** Limits of its calls besides `ownRateLimit`; absent = no further limit. */
  readonly limits?: CallerLimits;
  /** The budget that limits the spend of its sessions; absent = no session has a limit. */
  readonly sessionBudget?: SessionBudget;
  /** Headers that name the end user if the body of a call does not; absent = no header is trusted. */
  readonly endUserHeaders?: readonly string[];
  /** Whether exported events contain the texts of calls. */
  readonly exportContent?: boolean;
  /** Set for management keys and for keys that a session acts with; absent = only the class of the key decides. */
  readonly role?: Role;
  /** Set for a role that does not cover every workspace. */
  readonly memberships?: readonly WorkspaceMembership[];
  /** Set by the guard for the permission of the route; absent = every row of the account. */
  readonly only?: RowBounds;
  /** Where the request came from. Set by the decorator `Caller`, for the audit trail. */
  readonly place?: CallerPlace;
}
