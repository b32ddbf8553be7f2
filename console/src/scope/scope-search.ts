import { isRange, type RangeName } from '../format/ranges';
import { present, textOf } from './search-parameters';

/** What all pages share; it is in the address of each page. */
export interface ScopeSearch {
  /** The id of a workspace; absent = all. */
  readonly workspace?: string;
  readonly range?: RangeName;
  /**
   * Days in the zone of the console, the last included, or minutes, the last not included. They win over `range`.
   */
  readonly from?: string;
  readonly to?: string;
}

export const SCOPE_PARAMETERS = ['workspace', 'range', 'from', 'to'] as const;

const DAY = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?$/;

const day = (value: unknown): string | undefined =>
  typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

/** Keeps what is well-formed of an address. */
export function scopeSearch({ workspace, range, from, to }: Record<string, unknown>): ScopeSearch {
  return present<ScopeSearch>({
    workspace: textOf(workspace),
    range: isRange(range) ? range : undefined,
    from: day(from),
    to: day(to),
  });
}
