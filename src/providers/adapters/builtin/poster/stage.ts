import type { Rect } from './geometry.js';
import type { Palette } from './palette.js';
import type { Prng } from './prng.js';
import type { Defs, Markup } from './svg.js';
import type { MotifName, Tag } from './theme-words.js';

/** The frame, palette and generators that a motif draws with. */
export interface Stage {
  readonly frame: Rect;
  /** Above this y only the ground is drawn, because of the lettering; `frame.y` without lettering. */
  readonly calm: number;
  /**
   * One hundredth of the frame's shorter side, in pixels; more in frames beyond 16:1, to bound the number of shapes.
   */
  readonly unit: number;
  readonly palette: Palette;
  readonly prng: Prng;
  /** A factor on the number of shapes: 0.5 low, 1 medium, 1.6 high. */
  readonly detail: number;
  readonly tags: ReadonlySet<Tag>;
  readonly defs: Defs;
}

/** One family of pictures. With a transparent background the ground is not drawn. */
export interface Motif {
  readonly name: MotifName;
  /** Whether the upper part of its ground is calm enough to carry lettering. */
  readonly carriesLettering: boolean;
  ground(stage: Stage): Markup;
  figures(stage: Stage): Markup;
}
