import { isRange, type RangeName } from '../format/ranges';
import { present, textOf } from './search-parameters';

/** The choices that all pages share. They are in the address of each page. */
export interface ScopeSearch {
  /** The id of a workspace; absent = all. */
  readonly workspace?: string;
  readonly range?: RangeName;
  /**
   * Days in the zone of the console, with an inclusive end, or minutes, with an exclusive end. They take precedence
   * over `range`.
   */
  readonly from?: string;
  readonly to?: string;
}

export const SCOPE_PARAMETERS = ['workspace', 'range', 'from', 'to'] as const;

const DAY = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?$/;

const day = (value: unknown): string | undefined =>
  typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

/** Reads the search in an address and drops malformed members. */
export function scopeSearch({ workspace, range, from, to }: Record<string, unknown>): ScopeSearch {
  return present<ScopeSearch>({
    workspace: textOf(workspace),
    range: isRange(range) ? range : undefined,
    from: day(from),
    to: day(to),
  });
}
