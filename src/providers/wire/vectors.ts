import { isBase64 } from './base64-text.js';
import { badResponse } from '../../formats/bad-response.js';

/** Numbers, or little-endian float32 in padded base64. */
export type Vector = readonly number[] | string;

const FLOAT_BYTES = 4;

/**
 * The vectors of a vendor's response: one for each input, all of the same length, of numbers that float32 can hold.
 * Throws provider_failed for anything else, because callers could not notice a wrong vector.
 */
export function checkedVectors(values: readonly unknown[], count: number): Vector[] {
  if (values.length !== count) throw badResponse(`holds ${values.length} vectors for ${count} inputs`);
  let length: number | undefined;
  return values.map((value) => {
    const { vector, dimensions } = typeof value === 'string' ? checkedText(value) : checkedNumbers(value);
    length ??= dimensions;
    if (dimensions !== length) throw badResponse('holds vectors of different lengths');
    return vector;
  });
}

interface Checked {
  readonly vector: Vector;
  readonly dimensions: number;
}

function checkedNumbers(value: unknown): Checked {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isFloat32)) throw noVector();
  return { vector: value as number[], dimensions: value.length };
}

function checkedText(text: string): Checked {
  if (!isBase64(text)) throw noVector();
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length % FLOAT_BYTES !== 0) throw noVector();
  for (let at = 0; at < bytes.length; at += FLOAT_BYTES) if (!Number.isFinite(bytes.readFloatLE(at))) throw noVector();
  // Some decoders need the padding, which vendors may leave out.
  return { vector: text.length % 4 === 0 ? text : bytes.toString('base64'), dimensions: bytes.length / FLOAT_BYTES };
}

const isFloat32 = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(Math.fround(value));

const noVector = (): Error => badResponse('holds an embedding that is not a vector');
