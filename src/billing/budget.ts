import type { BudgetScope, ScopeMember } from './budget-scope.js';
import type { BudgetInterval } from './budget-window.js';
import type { Nano, Raise } from '../kernel/money.js';

export interface NewBudget {
  /** Workspaces and keys are given by the numbers of their rows. */
  readonly scope: BudgetScope;
  /** A member that `scope` does not have. Each value of this member has a limit of its own. */
  readonly each?: ScopeMember;
  readonly interval: BudgetInterval;
  readonly limit: Nano;
  /** The budget only writes events and never refuses. */
  readonly isSoft?: boolean;
  readonly countsByok?: boolean;
  readonly name?: string;
  /** The initial spend: `window` = what the scope has spent in the current window, `now` = 0. */
  readonly countFrom?: 'window' | 'now';
}

/** An absent member stays unchanged. */
export interface BudgetChanges {
  readonly limit?: Nano;
  readonly isSoft?: boolean;
  readonly countsByok?: boolean;
  readonly name?: string | null;
  readonly raise?: Raise | null;
}

/** A budget with the sums of its current window over all values of `each`. */
export interface Budget {
  readonly no: number;
  readonly id: string;
  readonly name: string | null;
  readonly scope: BudgetScope;
  /** The hash of the key in the scope. */
  readonly keyHash: string | null;
  readonly each: ScopeMember | null;
  readonly level: ScopeMember;
  readonly interval: BudgetInterval;
  readonly limit: Nano;
  /** Includes a raise. */
  readonly effectiveLimit: Nano;
  readonly spent: Nano;
  readonly byokSpent: Nano;
  readonly reserved: Nano;
  /** Null if each value has a limit of its own. */
  readonly remaining: Nano | null;
  readonly resetsAt: Date | null;
  readonly isSoft: boolean;
  readonly countsByok: boolean;
  /** Null if there is no raise or it has ended. */
  readonly raise: Raise | null;
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
}

/** The sums of one window and of one value of `each`. */
export interface BudgetBalance {
  /** Null if the budget never resets. */
  readonly start: string | null;
  readonly end: Date | null;
  readonly spent: Nano;
  readonly byokSpent: Nano;
  readonly reserved: Nano;
  readonly value: string | null;
}

/** Order of the balances of one window: by value, or by spend including open calls, largest first. */
export const BALANCE_ORDERS = ['value', 'used'] as const;

export type BalanceOrder = (typeof BALANCE_ORDERS)[number];
