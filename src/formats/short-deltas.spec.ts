import type { Delta } from './conversation.js';
import { shortDeltas } from './short-deltas.js';

const MAX = 1_048_576;
const text = (value: string): Delta => ({ type: 'text', text: value });
const textsOf = (deltas: readonly Delta[]): string[] =>
  deltas.map((delta) => ('text' in delta ? delta.text! : delta.type));

describe('short deltas', () => {
  const finish: Delta = { type: 'finish', reason: 'stop', native: 'stop' };

  it('are one batch, unchanged, if no text is longer than 1,048,576 characters', () => {
    const deltas = [text('a'), text('b'.repeat(MAX)), finish];
    expect([...shortDeltas(deltas)]).toEqual([deltas]);
  });

  it('split a longer text into pieces of at most 1,048,576 characters, in the order of the deltas', () => {
    const batches = [...shortDeltas([text('a'), text(`${'b'.repeat(MAX)}c`), finish])];
    expect(batches.map(textsOf)).toEqual([['a'], ['b'.repeat(MAX)], ['c'], ['finish']]);
  });

  it('never split a character', () => {
    const long = `${'b'.repeat(MAX - 1)}😀c`;
    const pieces = [...shortDeltas([text(long)])].flatMap(textsOf);
    expect(pieces.map((piece) => piece.isWellFormed())).toEqual([true, true]);
    expect(pieces.join('')).toBe(long);
  });
});
