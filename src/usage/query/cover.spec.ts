import { cover, type Piece } from './cover.js';
import type { Rollup } from './store-dialect.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const hourly: Rollup = { table: 'by hour', dimensions: new Set(), lengthMs: HOUR, time: 'g.hour' };
const minutely: Rollup = { table: 'by minute', dimensions: new Set(), lengthMs: MINUTE, time: 'g.minute' };

describe('cover', () => {
  const said = (pieces: readonly Piece[]): string[] =>
    pieces.map(({ from, to, rollup }) => `${from / MINUTE}-${to / MINUTE} ${rollup?.table ?? 'calls'}`);

  it.each<[string, number, number, readonly Rollup[], string[]]>([
    ['a window of whole hours', 60, 240, [hourly, minutely], ['60-240 by hour']],
    [
      'a window with ends on whole minutes',
      50,
      250,
      [minutely, hourly],
      ['50-60 by minute', '60-240 by hour', '240-250 by minute'],
    ],
    [
      'a window with both ends within a minute',
      50.5,
      250.5,
      [hourly, minutely],
      ['50.5-60 calls', '60-240 by hour', '240-250.5 calls'],
    ],
    [
      'a window with one end within a minute',
      50,
      250.5,
      [hourly, minutely],
      ['50-60 by minute', '60-240 by hour', '240-250.5 calls'],
    ],
    ['a store without sums by the minute', 50, 250, [hourly], ['50-60 calls', '60-240 by hour', '240-250 calls']],
    ['a window without a whole hour', 61, 119, [hourly, minutely], ['61-119 by minute']],
    ['a window across two hours without a whole hour', 61, 179, [hourly, minutely], ['61-179 by minute']],
    [
      'a window without a whole hour and with one end within a minute',
      61.5,
      119,
      [hourly, minutely],
      ['61.5-119 calls'],
    ],
    ['a store without sums', 0, 240, [], ['0-240 calls']],
    ['an empty window', 60, 60, [hourly, minutely], []],
  ])('returns the pieces for %s', (_, from, to, rollups, pieces) => {
    expect(said(cover(from * MINUTE, to * MINUTE, rollups))).toEqual(pieces);
  });

  it('returns pieces without gaps and overlaps', () => {
    for (const [from, to] of [
      [1, HOUR * 3 - 1],
      [HOUR - 1, HOUR + 1],
      [MINUTE, HOUR * 2 + MINUTE],
      [0, 1],
    ] as const) {
      const pieces = cover(from, to, [hourly, minutely]);
      expect(pieces[0]!.from).toBe(from);
      expect(pieces.at(-1)!.to).toBe(to);
      for (const [index, piece] of pieces.slice(1).entries()) expect(piece.from).toBe(pieces[index]!.to);
    }
  });
});
