/**
 * From the broadest to the narrowest. If several budgets refuse a call, the error names one of the broadest interval.
 */
export const INTERVALS = ['lifetime', 'monthly', 'weekly', 'daily'] as const;

export type BudgetInterval = (typeof INTERVALS)[number];

/** When the window that contains a time ends, in UTC; weeks begin on Monday. Null = it never ends. */
export function resetAfter(interval: BudgetInterval, at: Date): Date | null {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  if (interval === 'lifetime') return null;
  if (interval === 'monthly') return new Date(Date.UTC(year, month + 1, 1));
  const days = interval === 'daily' ? 1 : 7 - ((at.getUTCDay() + 6) % 7);
  return new Date(Date.UTC(year, month, day + days));
}
