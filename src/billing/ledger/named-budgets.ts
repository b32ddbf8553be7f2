import { arrayText, compositeArrayText } from './composite-text.js';

/** The channel on which the database notifies a change of budgets. */
export const BUDGET_CHANGED = 'budget_changed';

/** A budget that a call counts in. */
export interface NamedBudget {
  readonly no: number;
  /** The value of the scope's member `each`; empty = the budget has one allowance. */
  readonly value: string;
  /** Whether spend on own credentials counts towards its limit. */
  readonly countsByok: boolean;
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

/** A budget, its value, and what is reserved on it in nano-dollars: the columns of ledger_budget_item. */
export type BudgetHold = readonly [no: number, value: string, amount: string];

/** What an attempt holds of its budgets. `isOwn` = it is made on the caller's own credential. */
export const holdsOf = (budgets: NamedBudgets, worstCase: bigint, isOwn: boolean): BudgetHold[] =>
  budgets.all.map(({ no, value, countsByok }) => [no, value, isOwn && !countsByok ? '0' : worstCase.toString()]);

/** The budgets of a batch of items, and how many each of them has: arrays that PostgreSQL reads. */
export const budgetTexts = (budgets: readonly (readonly BudgetHold[] | undefined)[]): [string, string] => [
  compositeArrayText(budgets.flatMap((holds) => holds ?? [])),
  arrayText(budgets.map((holds) => String(holds?.length ?? 0))),
];
