import type { Nano } from '../kernel/money.js';
import type { SessionBudget } from '../kernel/principal.js';
import type { GenerationRecord } from '../usage/generation-record.js';
import type { ReservedAmounts } from './ledger/ledger.js';

/** Who pays for a call. */
export interface Payer {
  readonly accountNo: number;
  readonly keyNo: number;
  /** On an intern's key: the key that created the intern. Its limit covers the call too. */
  readonly parentKey: { readonly no: number; readonly countsByok: boolean } | null;
  /** Whether spend on own credentials counts in the key's limit. */
  readonly countsByok?: boolean;
  /** The budget for the sessions of the key. Absent if no session of the key is known to have a limit. */
  readonly sessionBudget?: SessionBudget;
  readonly workspaceNo?: number;
  /** The acting member. */
  readonly creatorUserId?: string | null;
}

/** The attributes of a call that budgets can refer to. */
export interface BudgetSubject {
  /** The end user's id. */
  readonly endUser?: string;
  readonly session?: string;
  /** The maximum spend of the session, as the call states it. */
  readonly sessionLimit?: Nano;
  readonly tags?: readonly string[];
}

/** The maximum cost of one attempt, the credential that pays it, and the model and provider that serve it. */
export interface AttemptBudget {
  readonly worstCase: Nano;
  readonly source: 'platform' | 'own_credential';
  /** On an own credential: whether the spend of the attempt counts towards the key's limit. */
  readonly countsInLimit?: boolean;
  /** The id of the model that serves the attempt. */
  readonly model?: string;
  readonly provider?: string;
  /** The id of the platform's credential. */
  readonly credentialId?: string;
}

/** Missing or implausible usage in a vendor's report. */
export interface UsageAnomaly {
  readonly kind: 'usage_missing' | 'usage_invalid' | 'usage_excessive' | 'usage_inconsistent' | 'usage_unpriced';
  readonly details: Readonly<Record<string, unknown>>;
}

/** The price and the record of a completed call. */
export interface Bill {
  /** The actual price in nano-dollars. */
  readonly price: Nano;
  readonly record: GenerationRecord;
  readonly anomaly?: UsageAnomaly;
}

/** The amounts that an attempt reserves on each limit. */
export function amountsOf({ worstCase, source, countsInLimit }: AttemptBudget, { parentKey }: Payer): ReservedAmounts {
  const own = source === 'own_credential';
  return {
    accountAmount: own ? 0n : worstCase,
    keyAmount: own && !countsInLimit ? 0n : worstCase,
    parentAmount: !parentKey || (own && !parentKey.countsByok) ? 0n : worstCase,
  };
}
