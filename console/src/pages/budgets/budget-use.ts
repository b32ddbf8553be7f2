import type { BudgetEntry } from '../../api/budgets';
import type { BudgetBalance, BudgetRecord } from '../../api/records';

/** From this share on, a budget is near its limit. */
export const NEAR_LIMIT = 0.8;

/** The used part of a limit in a window, in USD. */
export interface BudgetUse {
  readonly spent: number;
  readonly reserved: number;
  readonly limit: number;
  /** The spent and reserved amount as a share of the limit; 1 = fully used. */
  readonly share: number;
  readonly state: 'free' | 'near' | 'reached';
}

type Sums = Pick<BudgetBalance, 'spent_usd' | 'byok_spent_usd' | 'reserved_usd'>;

/** Sums of nano-dollars are exact. */
const nano = (usd: number): number => Math.round(usd * 1e9);

/** The use of a budget, from the sums of its window or of one value of `each`. */
export function usageOf(sums: Sums, { effective_limit_usd: limit, include_byok: countsByok }: BudgetRecord): BudgetUse {
  const spent = nano(sums.spent_usd) + (countsByok ? nano(sums.byok_spent_usd) : 0);
  const share = (spent + nano(sums.reserved_usd)) / nano(limit);
  return {
    spent: spent / 1e9,
    reserved: sums.reserved_usd,
    limit,
    share,
    state: share >= 1 ? 'reached' : share >= NEAR_LIMIT ? 'near' : 'free',
  };
}

const NOTHING: Sums = { spent_usd: 0, byok_spent_usd: 0, reserved_usd: 0 };

/** With `each`, the use of the value that has used most. */
export const highestUse = ({ budget, highest }: BudgetEntry): BudgetUse =>
  usageOf(budget.each === null ? budget : (highest ?? NOTHING), budget);
