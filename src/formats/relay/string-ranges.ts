import type { StringRange } from './chunk-template.js';

/** The rest of a string up to its closing quote, from any position inside. */
export const REST = /(?:[^"\\]|\\.)*"/y;
const MAX_RANGES = 4;

/**
 * The ranges of the contents of strings with certain names in an event. Some may be nested in other values. `names`: a
 * global pattern that ends after the opening quote.
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
