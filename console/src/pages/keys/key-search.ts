import type { KeySort, SortDirection } from '../../api/keys';
import type { KeySummary } from '../../api/records';
import { present, textOf } from '../../scope/search-parameters';

export type KeyState = KeySummary['state'];
export const KEY_STATES: readonly KeyState[] = ['active', 'disabled', 'expired'];
const SORTS: readonly KeySort[] = ['name', 'created_at', 'last_used_at', 'usage', 'usage_monthly', 'limit_used'];

/** The keys that the page shows, and their order. */
export interface KeySearch {
  readonly q?: string;
  readonly owner?: string;
  readonly state?: KeyState;
  readonly sort?: KeySort;
  readonly direction?: SortDirection;
}

/** Reads the search in an address and drops malformed members. */
export function keySearch({ q, owner, state, sort, direction }: Record<string, unknown>): KeySearch {
  return present<KeySearch>({
    // The router parses a search of digits as a number.
    q: typeof q === 'number' ? String(q) : textOf(q),
    owner: textOf(owner),
    state: KEY_STATES.find((known) => known === state),
    sort: SORTS.find((known) => known === sort),
    direction: direction === 'asc' || direction === 'desc' ? direction : undefined,
  });
}
