import { invalidRequest } from '../../kernel/errors/errors.js';

/** Every `aspect_ratio` of the API, as whole numbers; `auto` is a square. */
const RATIOS: Readonly<Record<string, readonly [w: number, h: number]>> = {
  auto: [1, 1],
  '1:1': [1, 1],
  '1:2': [1, 2],
  '1:4': [1, 4],
  '1:8': [1, 8],
  '2:1': [2, 1],
  '2:3': [2, 3],
  '3:2': [3, 2],
  '3:4': [3, 4],
  '4:1': [4, 1],
  '4:3': [4, 3],
  '4:5': [4, 5],
  '5:4': [5, 4],
  '8:1': [8, 1],
  '9:16': [9, 16],
  '16:9': [16, 9],
  '9:19.5': [6, 13],
  '19.5:9': [13, 6],
  '9:20': [9, 20],
  '20:9': [20, 9],
  '9:21': [3, 7],
  '21:9': [7, 3],
};

const TIERS: Readonly<Record<string, number>> = { '512': 512, '1K': 1024, '2K': 2048, '4K': 4096 };

export const ASPECT_RATIOS: readonly string[] = Object.keys(RATIOS);
export const RESOLUTIONS: readonly string[] = Object.keys(TIERS);

/** Pixels per side. The limits and the derivation are this gateway's own. */
export const MIN_SIDE = 64;
export const MAX_SIDE = 4096;
const STEP = 8;

export interface Pixels {
  readonly width: number;
  readonly height: number;
}

/**
 * The width and height for a resolution tier and an aspect ratio. The ratio is exact, and the area is about the square
 * of the tier. Both sides are multiples of 8 and at most 4096, so narrow pictures of the upper tiers have a smaller
 * area. Throws invalid_request for an unknown tier or ratio.
 */
export function derivePixels(resolution: string, aspectRatio: string): Pixels {
  const base = Object.hasOwn(TIERS, resolution) ? TIERS[resolution] : undefined;
  const ratio = Object.hasOwn(RATIOS, aspectRatio) ? RATIOS[aspectRatio] : undefined;
  if (base === undefined) throw invalidRequest(`resolution must be one of ${RESOLUTIONS.join(', ')}.`);
  if (ratio === undefined) throw invalidRequest(`aspect_ratio must be one of ${ASPECT_RATIOS.join(', ')}.`);
  const [w, h] = ratio;
  const target = Math.round(base / (STEP * Math.sqrt(w * h)));
  const max = Math.floor(MAX_SIDE / (STEP * Math.max(w, h)));
  const scale = Math.max(1, Math.min(target, max)) * STEP;
  return { width: w * scale, height: h * scale };
}
