import type { Nano } from '../../kernel/money.js';
import { arrayText, compositeArrayText, NULL_ELEMENT } from './composite-text.js';

/** The channel on which the database notifies a change of budgets. */
export const BUDGET_CHANGED = 'budget_changed';

/** A budget that a call counts in. */
export interface NamedBudget {
  readonly no: number;
  /** The call's value for the member that the budget's `each` names; empty if the budget has no `each`. */
  readonly value: string;
  /** Whether spend on own credentials counts towards the limit of the budget. */
  readonly countsByok: boolean;
  /** The limit that the call sets for its session; null = none. Only on the budget of a session. */
  readonly sessionLimit?: Nano | null;
}

/** The part of `NamedBudgets.key` for one budget. The length is included, because a value can contain any character. */
export const keyPartOf = ({ no, value }: NamedBudget): string => `${no}:${value.length}:${value}`;

/** The budgets of a call. Calls with the same budgets share one object, except if one is the budget of a session. */
export interface NamedBudgets {
  /** Equal for equal budgets and values. */
  readonly key: string;
  readonly all: readonly NamedBudget[];
  /** Whether the calls may use a credit lease. False if a budget belongs to the installation or to a session. */
  readonly mayLease: boolean;
}

/** The budgets of a call; undefined = none. A promise if they must be read from the database. */
export type FoundBudgets = NamedBudgets | undefined | Promise<NamedBudgets | undefined>;

/**
 * Whether a call may use a credit lease. A call on an own credential that counts in budgets may not, because a leased
 * call holds the same amount on the account and on each budget.
 */
export const mayLease = (budgets: NamedBudgets | undefined, isOwn: boolean): boolean =>
  !budgets || (budgets.mayLease && !isOwn);

/**
 * A budget, its value, and the amount reserved on it in nano-dollars: the columns of ledger_budget_item. The budget of
 * a session also has the limit that the call sets for the session, or null.
 */
export type BudgetHold = readonly [no: number, value: string, amount: string, sessionLimit?: string | null];

/** The amounts that an attempt holds on its budgets. `isOwn` = the attempt is made on the caller's own credential. */
export const holdsOf = (budgets: NamedBudgets, worstCase: bigint, isOwn: boolean): BudgetHold[] =>
  budgets.all.map(({ no, value, countsByok, sessionLimit }) => {
    const amount = isOwn && !countsByok ? '0' : worstCase.toString();
    return sessionLimit === undefined ? [no, value, amount] : [no, value, amount, sessionLimit?.toString() ?? null];
  });

/** The budgets of a batch of items and the number of each item's budgets, as PostgreSQL array texts. */
export const budgetTexts = (budgets: readonly (readonly BudgetHold[] | undefined)[]): [string, string] => [
  compositeArrayText(budgets.flatMap((holds) => holds?.map((hold) => hold.slice(0, 3)) ?? [])),
  arrayText(budgets.map((holds) => String(holds?.length ?? 0))),
];

/** The session limits of a batch, one for each budget; null if no item names a session. */
export function sessionLimitsText(budgets: readonly (readonly BudgetHold[] | undefined)[]): string | null {
  const limits = budgets.flatMap((holds) => holds?.map(([, , , limit]) => limit) ?? []);
  return limits.every((limit) => limit === undefined) ? null : arrayText(limits.map((limit) => limit ?? NULL_ELEMENT));
}
