import { present, textOf } from '../../scope/search-parameters';

export interface BudgetSearch {
  /** Absent = the tree. */
  readonly view?: 'share';
  /** The hash of a key: only its budgets. */
  readonly key?: string;
}

/** Reads the search in an address and drops malformed members. */
export function budgetSearch({ view, key }: Record<string, unknown>): BudgetSearch {
  return present<BudgetSearch>({
    view: view === 'share' ? view : undefined,
    key: textOf(key),
  });
}
