export interface BudgetSearch {
  /** Absent = the tree. */
  readonly view?: 'share';
  /** The hash of a key: only its budgets. */
  readonly key?: string;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Keeps what is well-formed of an address. */
export function budgetSearch({ view, key }: Record<string, unknown>): BudgetSearch {
  const found: BudgetSearch = {
    view: view === 'share' ? view : undefined,
    key: text(key),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}
