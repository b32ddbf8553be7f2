import { resetAfter, type BudgetInterval } from '../../billing/budget-window.js';
import { usdToNano, type Nano } from '../../kernel/money.js';
import type { DemoCall } from './demo-schedule.js';

/** The amount of a call that is charged to the account's credits. */
export const costOf = ({ isOwn, price }: DemoCall): Nano => (isOwn ? 0n : price.price);

export const totalOf = (calls: readonly DemoCall[]): Nano => calls.reduce((sum, call) => sum + costOf(call), 0n);

/**
 * Groups the calls by their `valueOf` and by the window of `interval`. Returns the spend of the group that spends most.
 * A call does not count if `valueOf` returns undefined for it.
 */
export function largestSpend(
  calls: readonly DemoCall[],
  interval: BudgetInterval,
  valueOf: (call: DemoCall) => string | undefined,
): Nano {
  const sums = new Map<string, Nano>();
  for (const call of calls) {
    const value = valueOf(call);
    if (value === undefined) continue;
    const window = `${value} ${resetAfter(interval, call.at)?.getTime() ?? ''}`;
    sums.set(window, (sums.get(window) ?? 0n) + costOf(call));
  }
  return [...sums.values()].reduce((most, sum) => (sum > most ? sum : most), 0n);
}

const MIN_USD = 0.01;

/** Returns `spent` / `share`, at least MIN_USD, rounded up by at most two percent. */
export function roundAmount(spent: Nano, share: number): Nano {
  const usd = Math.max(Number(spent) / 1e9 / share, MIN_USD);
  const step = 10 ** (Math.floor(Math.log10(usd)) - 1) / 5;
  return usdToNano((Math.ceil(usd / step) * step).toFixed(9));
}
