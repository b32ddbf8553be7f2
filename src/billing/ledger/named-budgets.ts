import type { Nano } from '../../kernel/money.js';
import { arrayText, compositeArrayText, NULL_ELEMENT } from './composite-text.js';

/** The channel on which the database notifies a change of budgets. */
export const BUDGET_CHANGED = 'budget_changed';

/** A budget that a call counts in. */
export interface NamedBudget {
  readonly no: number;
  /** The value of the scope's member `each`; empty = the budget has one allowance. */
  readonly value: string;
  /** Whether spend on own credentials counts towards its limit. */
  readonly countsByok: boolean;
  /** Of the budget of the call's session: the limit that the call names for it, or null. */
  readonly sessionLimit?: Nano | null;
}

/** The budgets of a call. Calls that count in the same ones have the same object. */
export interface NamedBudgets {
  /** The same text for the same budgets and values. */
  readonly key: string;
  readonly all: readonly NamedBudget[];
  /** Whether credit may be leased for them: they belong to one account. */
  readonly mayLease: boolean;
}

/** On a lease a call holds the same amount on the account and on each budget: not on its own credential. */
export const mayLease = (budgets: NamedBudgets | undefined, isOwn: boolean): boolean =>
  !budgets || (budgets.mayLease && !isOwn);

/**
 * A budget, its value, and what is reserved on it in nano-dollars: the columns of ledger_budget_item. The budget of a
 * session also has the limit that the call names, or null.
 */
export type BudgetHold = readonly [no: number, value: string, amount: string, sessionLimit?: string | null];

/** What an attempt holds of its budgets. `isOwn` = it is made on the caller's own credential. */
export const holdsOf = (budgets: NamedBudgets, worstCase: bigint, isOwn: boolean): BudgetHold[] =>
  budgets.all.map(({ no, value, countsByok, sessionLimit }) => {
    const amount = isOwn && !countsByok ? '0' : worstCase.toString();
    return sessionLimit === undefined ? [no, value, amount] : [no, value, amount, sessionLimit?.toString() ?? null];
  });

/** The budgets of a batch of items, and how many each of them has: arrays that PostgreSQL reads. */
export const budgetTexts = (budgets: readonly (readonly BudgetHold[] | undefined)[]): [string, string] => [
  compositeArrayText(budgets.flatMap((holds) => holds?.map((hold) => hold.slice(0, 3)) ?? [])),
  arrayText(budgets.map((holds) => String(holds?.length ?? 0))),
];

/** The limits that a batch of items names for sessions, by the place of the budget; null = it names no session. */
export function sessionLimitsText(budgets: readonly (readonly BudgetHold[] | undefined)[]): string | null {
  const limits = budgets.flatMap((holds) => holds?.map(([, , , limit]) => limit) ?? []);
  return limits.every((limit) => limit === undefined) ? null : arrayText(limits.map((limit) => limit ?? NULL_ELEMENT));
}
