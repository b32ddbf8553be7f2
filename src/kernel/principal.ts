/** `management` is what the specification also calls a provisioning key. */
export type KeyClass = 'standard' | 'management' | 'intern';

/**
 * Who is calling, as the key resolved it. The `*No` members are the compact row numbers under which
 * the ledger and the usage records know the same things.
 */
export interface Principal {
  readonly keyHash: string;
  readonly keyNo: number;
  readonly keyClass: KeyClass;
  readonly accountId: string;
  readonly accountNo: number;
  readonly workspaceId: string;
  readonly workspaceNo: number;
  /** The acting member; null for a key of an organisation without one. */
  readonly creatorUserId: string | null;
  /** Whether spend on own provider credentials counts in the key's limit. */
  readonly countsByok: boolean;
  /** Set on an intern's own key. */
  readonly internId: string | null;
}
