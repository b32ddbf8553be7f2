import type { Rollup } from './store-dialect.js';

/** A part of a window, in milliseconds, and what answers for it; without a rollup, the calls themselves. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly rollup: Rollup | undefined;
}

/** Covers a window with rollups that all fit the question: the longest for its middle, for each end a shorter one that fills it wholly, or the calls. */
export function cover(from: number, to: number, rollups: readonly Rollup[]): Piece[] {
  const [longest, ...shorter] = rollups.toSorted((a, b) => b.lengthMs - a.lengthMs);
  // Not a shorter one and calls beside it: a store is through with an end of calls before it has planned one part more.
  const end = (start: number, stop: number): Piece[] =>
    start < stop
      ? [
          {
            from: start,
            to: stop,
            rollup: shorter.find(({ lengthMs }) => start % lengthMs === 0 && stop % lengthMs === 0),
          },
        ]
      : [];
  if (!longest) return end(from, to);
  const first = Math.ceil(from / longest.lengthMs) * longest.lengthMs;
  const last = Math.floor(to / longest.lengthMs) * longest.lengthMs;
  if (first >= last) return end(from, to);
  return [...end(from, first), { from: first, to: last, rollup: longest }, ...end(last, to)];
}
