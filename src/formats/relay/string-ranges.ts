import type { StringRange } from './chunk-template.js';

/** Matches the rest of a JSON string up to its closing quote, from any position inside. */
export const REST = /(?:[^"\\]|\\.)*"/y;
const MAX_RANGES = 4;

/**
 * Finds the string members of an event that `names` matches, including nested ones. Returns the ranges of their
 * contents, at most MAX_RANGES. `names`: a global pattern that ends after the opening quote of the string.
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
