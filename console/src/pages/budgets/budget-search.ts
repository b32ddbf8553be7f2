export interface BudgetSearch {
  /** Absent = the tree. */
  readonly view?: 'share';
  /** The id of a workspace, or the hash of a key: only its budgets. */
  readonly workspace?: string;
  readonly key?: string;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Keeps what is well-formed of an address. */
export function budgetSearch({ view, workspace, key }: Record<string, unknown>): BudgetSearch {
  const found: BudgetSearch = {
    view: view === 'share' ? view : undefined,
    workspace: text(workspace),
    key: text(key),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}
