import type { BudgetHold } from '../named-budgets.js';

export type FinishOutcome = 'done' | 'lost';

/** A reservation: the columns of ledger_reservation_item. */
export interface ReserveItem {
  readonly id: string;
  readonly columns: readonly (string | number | null)[];
  /** True if the reservation replaces no reservation, counts in no budget, and is for a key without a parent key. */
  readonly isPlain: boolean;
  readonly budgets?: readonly BudgetHold[];
}

/** The end of a call. The values are elements of PostgreSQL array texts. */
export interface FinishItem {
  /** The id of the reservation, or of the call if it is on a credit lease. */
  readonly id: string;
  readonly finish: string;
  readonly usage: string;
  readonly detail: string;
  /** The tags of the call's record; absent = none. */
  readonly tags?: readonly string[];
}

/** The end of a call on a credit lease. */
export interface LeasedFinishItem extends FinishItem {
  readonly leaseId: string;
  readonly accountNo: number;
  /** The number of the lease's open calls whose settlements were not sent yet. */
  readonly unsettledCalls: number;
  /** Key and day (UTC) of the call. A batch of calls with the same key and day takes less time. */
  readonly keyDay: string;
  /** True if the call is written to the journal, false if it is settled at once. */
  readonly isJournaled: boolean;
}

/** Commits reservations and settlements in batches. Throws DatabaseUnavailable if an outcome is not known in time. */
export abstract class LedgerCommits {
  /**
   * `until` = when the caller stops waiting for the outcome, on the clock of performance.now(). Returns `reserved`, or
   * a refusal as text.
   */
  abstract reserve(item: ReserveItem, until?: number): Promise<string>;

  /** The end is durable when the promise resolves. */
  abstract finish(item: FinishItem): Promise<FinishOutcome>;

  /** The end is durable when the promise resolves. */
  abstract finishLeased(item: LeasedFinishItem): Promise<FinishOutcome>;

  /** Resolves when nothing is queued or being sent. */
  abstract idle(): Promise<void>;
}
