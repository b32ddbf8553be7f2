import type { StringRange } from './chunk-template.js';

/** The inside of a string and its closing quote. */
const REST = /(?:[^"\\]|\\.)*"/y;
const MAX_RANGES = 4;

/**
 * Where strings of some names lie in an event: their insides. Some may lie inside of other values. `names`: a global
 * pattern that ends after the opening quote.
 */
export function stringRanges(event: Buffer, names: RegExp): StringRange[] {
  const text = event.toString('latin1');
  const ranges: StringRange[] = [];
  for (const match of text.matchAll(names)) {
    REST.lastIndex = match.index + match[0].length;
    const start = REST.lastIndex;
    if (!REST.test(text)) break;
    ranges.push([start, REST.lastIndex - 1]);
    if (ranges.length === MAX_RANGES) break;
  }
  return ranges;
}
