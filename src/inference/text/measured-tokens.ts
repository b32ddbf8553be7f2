import type { TextMeasure } from '../../formats/measure.js';

/** Bytes of text for each token, as vocabularies have them on average in English. */
const BYTES_PER_TOKEN = 4;

/** The tokens of a prompt by measure: a fair guess of its text, without its media. */
export const measuredTokens = ({ textBytes, tokenIds }: TextMeasure): number =>
  Math.ceil(textBytes / BYTES_PER_TOKEN) + tokenIds;
