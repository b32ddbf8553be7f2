import { luminance, mix, oklch, readableOn, type Hex, type Lch } from './colour.ts';
import type { Mood } from './moods.ts';
import type { Prng } from './prng.ts';

/** The colours of one picture. The contrast of `paper` and `ink` is at least 7:1. */
export interface Palette {
  /** Whether the sky is dark. A dark sky has stars. */
  readonly dark: boolean;
  readonly sky: readonly [top: Hex, middle: Hex, horizon: Hex];
  readonly far: Hex;
  readonly near: Hex;
  readonly light: Hex;
  readonly accent: Hex;
  readonly second: Hex;
  readonly third: Hex;
  readonly paper: Hex;
  readonly ink: Hex;
  /** Depth: 0 = furthest, 1 = nearest. */
  depth(t: number): Hex;
}

/**
 * Creates the palette of a mood. Rotates all hues by a few degrees and scales the chroma, so that two seeds of one mood
 * differ slightly.
 */
export function paletteOf(mood: Mood, prng: Prng): Palette {
  const turn = prng.range(-9, 9);
  const rich = prng.range(0.9, 1.12);
  const colour = ([l, c, h]: Lch): Hex => oklch([l, c * rich, h + turn]);
  const far = colour(mood.far);
  const near = colour(mood.near);
  const paper = colour(mood.paper);
  const ink = readableOn([paper], [colour(mood.ink), near], 7);
  return {
    dark: luminance(colour(mood.sky[1])) < 0.08,
    sky: [colour(mood.sky[0]), colour(mood.sky[1]), colour(mood.sky[2])],
    far,
    near,
    paper,
    ink,
    light: colour(mood.light),
    accent: colour(mood.accent),
    second: colour(mood.second),
    third: colour(mood.third),
    depth: (t) => mix(far, near, t),
  };
}
