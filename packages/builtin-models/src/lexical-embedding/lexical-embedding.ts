import { tokensOfBytes } from '../token-estimate.ts';
import { textFeatures, tokenFeatures } from './character-features.ts';

export const MAX_DIMENSIONS = 256;

/** A text, or token ids of any vocabulary. */
export type LexicalInput = string | readonly number[];

/**
 * Returns a vector of Euclidean length 1. The cosine of two vectors is higher if their inputs share words or parts of
 * words. Uses signed feature hashing: each feature adds its weight to one dimension, or subtracts the weight from it.
 * With fewer dimensions the vector is folded: dimension i of 256 is added to dimension i modulo `dimensions`.
 * `dimensions` is rounded down and limited to the range from 1 to 256.
 */
export function embed(input: LexicalInput, dimensions = MAX_DIMENSIONS): Float32Array {
  const count = Math.min(MAX_DIMENSIONS, Math.max(1, Math.floor(dimensions) || 1));
  const sums = new Float64Array(count);
  const add = (hash: number, weight: number): void => {
    const at = (hash % MAX_DIMENSIONS) % count;
    sums[at] = (sums[at] ?? 0) + (hash & 0x80000000 ? -weight : weight);
  };
  if (typeof input === 'string') textFeatures(input, add);
  else tokenFeatures(input, add);
  return normalise(sums);
}

/** The number of tokens to bill for an input (see token-estimate.ts). A token id is one token. */
export const embeddingTokens = (input: LexicalInput): number =>
  typeof input === 'string' ? tokensOfBytes(Buffer.byteLength(input)) : input.length;

/** The cosine of two vectors of Euclidean length 1 that have the same number of dimensions. */
export function cosine(a: Float32Array, b: Float32Array): number {
  const sum = a.reduce((total, value, index) => total + value * (b[index] ?? 0), 0);
  return Math.min(1, Math.max(-1, sum));
}

/** Scales a vector to Euclidean length 1. The result for a zero vector is the first unit vector. */
function normalise(sums: Float64Array): Float32Array {
  const norm = Math.sqrt(sums.reduce((total, value) => total + value * value, 0));
  if (norm === 0) return Float32Array.from(sums, (_, index) => (index === 0 ? 1 : 0));
  return Float32Array.from(sums, (value) => value / norm);
}
