import type { BudgetInterval, BudgetScope, ScopeMember } from './budget-scope.js';
import type { Nano, Raise } from '../kernel/money.js';

export interface NewBudget {
  /** Workspaces and keys by the numbers of their rows. */
  readonly scope: BudgetScope;
  /** The member of the scope of which each value has an allowance of its own. */
  readonly each?: ScopeMember;
  readonly interval: BudgetInterval;
  readonly limit: Nano;
  /** It never refuses, and writes events only. */
  readonly isSoft?: boolean;
  readonly countsByok?: boolean;
  readonly name?: string;
  /** What it begins with: what the scope has spent in the current window, or 0. */
  readonly countFrom?: 'window' | 'now';
}

/** Absent = stays. */
export interface BudgetChanges {
  readonly limit?: Nano;
  readonly isSoft?: boolean;
  readonly countsByok?: boolean;
  readonly name?: string | null;
  readonly raise?: Raise | null;
}

/** A budget with the sums of its current window, over all values of `each`. */
export interface Budget {
  readonly no: number;
  readonly id: string;
  readonly name: string | null;
  readonly scope: BudgetScope;
  /** The hash of the key of the scope. */
  readonly keyHash: string | null;
  readonly each: ScopeMember | null;
  readonly level: ScopeMember;
  readonly interval: BudgetInterval;
  readonly limit: Nano;
  /** With a raise. */
  readonly effectiveLimit: Nano;
  readonly spent: Nano;
  readonly byokSpent: Nano;
  readonly reserved: Nano;
  /** Null where each value has a limit of its own. */
  readonly remaining: Nano | null;
  readonly resetsAt: Date | null;
  readonly isSoft: boolean;
  readonly countsByok: boolean;
  /** Null = none, or it has ended. */
  readonly raise: Raise | null;
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
}

/** The sums of one window, and of one value of `each`. */
export interface BudgetBalance {
  /** Null = the window of a budget that never resets. */
  readonly start: string | null;
  readonly end: Date | null;
  readonly spent: Nano;
  readonly byokSpent: Nano;
  readonly reserved: Nano;
  readonly value: string | null;
}

/** Of the balances of one window: by value, or the largest spend first, with what open calls hold. */
export const BALANCE_ORDERS = ['value', 'used'] as const;

export type BalanceOrder = (typeof BALANCE_ORDERS)[number];
