import type { Rollup } from './store-dialect.js';

/** A part of a window, in milliseconds, and the rollup to read; undefined = read the calls. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly rollup: Rollup | undefined;
}

/**
 * Covers a window with rollups that fit the query. The rollup with the longest period covers the middle. A shorter
 * rollup covers an edge if it fills the edge exactly. Otherwise the calls are read.
 */
export function cover(from: number, to: number, rollups: readonly Rollup[]): Piece[] {
  const [longest, ...shorter] = rollups.toSorted((a, b) => b.lengthMs - a.lengthMs);
  // An edge is never covered by a shorter rollup plus calls, because planning another part takes longer than reading
  // the edge from the calls.
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
