import type { BudgetHold } from '../named-budgets.js';

export type FinishOutcome = 'done' | 'lost';

/** A reservation: the columns of ledger_reservation_item. */
export interface ReserveItem {
  readonly id: string;
  readonly columns: readonly (string | number | null)[];
  /** It replaces no reservation, names no budgets, and its key has no parent. */
  readonly isPlain: boolean;
  readonly budgets?: readonly BudgetHold[];
}

/** The end of a call: its values as elements of arrays that PostgreSQL reads. */
export interface FinishItem {
  /** The id of the reservation, or of the call if that is on a lease. */
  readonly id: string;
  readonly finish: string;
  readonly usage: string;
  readonly detail: string;
  /** Of its record; absent = none. */
  readonly tags?: readonly string[];
}

/** The end of a call on a credit lease. */
export interface LeasedFinishItem extends FinishItem {
  readonly leaseId: string;
  /** The open calls of the lease without those whose settlement was sent. */
  readonly unsettledCalls: number;
  /** Its key and day (UTC): a batch with one of them is cheaper. */
  readonly keyDay: string;
  /** It has a record, and was not sent before. */
  readonly isUsual: boolean;
}

/** Commits reservations and settlements in batches. Throws DatabaseUnavailable if an outcome is not known in time. */
export abstract class LedgerCommits {
  /** `until` = when the outcome becomes useless, of performance.now(). Returns `reserved`, or a refusal as text. */
  abstract reserve(item: ReserveItem, until?: number): Promise<string>;

  /** Durable when it resolves. */
  abstract finish(item: FinishItem): Promise<FinishOutcome>;

  /** Durable when it resolves. */
  abstract finishLeased(item: LeasedFinishItem): Promise<FinishOutcome>;

  /** Resolves when nothing is queued or being sent. */
  abstract idle(): Promise<void>;
}
