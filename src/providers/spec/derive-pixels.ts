export type Resolution = '512' | '1K' | '2K' | '4K';

export interface Pixels {
  readonly width: number;
  readonly height: number;
}

const SIDE: Record<Resolution, number> = { '512': 512, '1K': 1024, '2K': 2048, '4K': 4096 };
const STEP = 8;
const LEAST = 64;
const MOST = 4096;

/**
 * The pixels a tier and an aspect ratio come to, where a provider does not derive its own: the tier gives the side of a
 * square, other ratios keep about its area, both sides are multiples of 8 and none exceeds 4096.
 */
export function derivePixels(resolution: Resolution, aspectRatio: string): Pixels {
  const [across = 1, down = 1] = aspectRatio === 'auto' ? [1, 1] : aspectRatio.split(':').map(Number);
  const side = SIDE[resolution];
  const scale = Math.min(1, MOST / (side * Math.sqrt(Math.max(across / down, down / across))));
  const whole = (exact: number): number => Math.min(MOST, Math.max(LEAST, Math.round(exact / STEP) * STEP));
  return { width: whole(side * Math.sqrt(across / down) * scale), height: whole(side * Math.sqrt(down / across) * scale) };
}
