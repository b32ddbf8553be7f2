import { invalidRequest } from '../kernel/errors/errors.js';
import { timeOf } from './query/plan-time.js';

/** No call is recorded outside of this window. */
const WINDOW_MS = { from: 0, to: Date.UTC(6000, 0) } as const;

/** [from, to) in milliseconds since 1970; null = open. */
export interface TimeRange {
  readonly from: number | null;
  readonly to: number | null;
}

/** Reads two ISO 8601 timestamps or dates. Throws invalid_request, which names the mistake. */
export function timeRangeOf({ start, end }: { readonly start?: string; readonly end?: string }): TimeRange {
  const from = momentOf(start, 'start');
  const to = momentOf(end, 'end');
  if (from !== null && to !== null && from >= to) throw invalidRequest('start must be before end');
  return { from, to };
}

const momentOf = (text: string | undefined, field: string): number | null =>
  text === undefined ? null : Math.max(WINDOW_MS.from, Math.min(WINDOW_MS.to, timeOf(text, field)));
