/** From the longest to the shortest. If several budgets refuse a call, rankOf uses this order to select the error. */
export const INTERVALS = ['lifetime', 'monthly', 'weekly', 'daily'] as const;

export type BudgetInterval = (typeof INTERVALS)[number];

/** The end of the window that contains `at`; null if the window never ends. In UTC; weeks begin on Monday. */
export function resetAfter(interval: BudgetInterval, at: Date): Date | null {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  if (interval === 'lifetime') return null;
  if (interval === 'monthly') return new Date(Date.UTC(year, month + 1, 1));
  const days = interval === 'daily' ? 1 : 7 - ((at.getUTCDay() + 6) % 7);
  return new Date(Date.UTC(year, month, day + days));
}
