import type { Lch } from '../colour.js';

/** A colour harmony in OKLCH. The sky grades from top to horizon; far and near are the ends of the depth ramp. */
export interface Mood {
  readonly sky: readonly [top: Lch, middle: Lch, horizon: Lch];
  readonly far: Lch;
  readonly near: Lch;
  /** The brightest object: a sun, a moon, lit windows. */
  readonly light: Lch;
  readonly accent: Lch;
  readonly second: Lch;
  readonly third: Lch;
  readonly paper: Lch;
  readonly ink: Lch;
}
