import { randomInt } from 'node:crypto';
import { invalidRequest } from '../../../kernel/errors/errors.js';
import type { ImageCall, ImageFormat, ImageQuality } from '../../ports/image-adapter.port.js';
import { derivePixels, MAX_SIDE, MIN_SIDE } from '../../ports/image-pixels.js';

/** The factor on the number of shapes, by quality. */
const DETAIL: Readonly<Record<ImageQuality, number>> = { low: 0.5, medium: 1, auto: 1, high: 1.6 };

const MAX_REFERENCES = 16;
const MAX_IMAGES = 10;
/** Maximum pixels of all pictures of a call: ten of 2K, or two of 4K. Vector graphics do not count. */
const MAX_PIXELS = 48_000_000;

/** A call with checked values. */
export interface Order extends Pick<ImageCall, 'prompt' | 'n' | 'callerKey' | 'signal'> {
  readonly width: number;
  readonly height: number;
  readonly format: ImageFormat;
  readonly compression: number | undefined;
  readonly transparent: boolean;
  /** A factor on the number of shapes. */
  readonly detail: number;
  readonly seed: string;
}

/** Throws invalid_request for values that the model cannot draw. */
export function orderOf(call: ImageCall): Order {
  const { prompt, n, compression, callerKey, signal } = call;
  const { width, height } =
    call.width === undefined && call.height === undefined
      ? derivePixels(call.resolution ?? '1K', call.aspectRatio ?? 'auto')
      : { width: call.width ?? 0, height: call.height ?? 0 };
  for (const [name, side] of Object.entries({ width, height }))
    if (!Number.isInteger(side) || side < MIN_SIDE || side > MAX_SIDE)
      throw invalidRequest(`size: ${name} must be a whole number of pixels from ${MIN_SIDE} to ${MAX_SIDE}.`);
  if (!Number.isInteger(n) || n < 1 || n > MAX_IMAGES)
    throw invalidRequest(`n must be a whole number from 1 to ${MAX_IMAGES}.`);
  if (call.references.length > MAX_REFERENCES)
    throw invalidRequest(`input_references may hold at most ${MAX_REFERENCES} entries.`);
  if (compression !== undefined && (!Number.isInteger(compression) || compression < 0 || compression > 100))
    throw invalidRequest('output_compression must be a whole number from 0 to 100.');
  const format = call.format ?? 'png';
  const transparent = call.background === 'transparent';
  if (transparent && format === 'jpeg')
    throw invalidRequest('background transparent needs an output_format with transparency, such as png or webp.');
  if (format !== 'svg' && width * height * n > MAX_PIXELS)
    throw invalidRequest(
      `${n} pictures of ${width}x${height} have ${width * height * n} pixels; this model draws at most ` +
        `${MAX_PIXELS} in one request. Ask for fewer or smaller pictures.`,
    );
  const seed = call.seed === undefined ? `random ${randomInt(2 ** 47)}` : `seed ${call.seed}`;
  const detail = DETAIL[call.quality ?? 'auto'];
  return { prompt, n, callerKey, signal, width, height, format, compression, transparent, detail, seed };
}
