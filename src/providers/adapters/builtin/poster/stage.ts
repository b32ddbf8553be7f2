import type { Rect } from './geometry.js';
import type { Palette } from './palette.js';
import type { Prng } from './prng.js';
import type { Defs, Markup } from './svg.js';
import type { MotifName, Tag } from './theme-words.js';

/** Where and with what a motif draws. */
export interface Stage {
  readonly frame: Rect;
  /** The y above which only the ground may lie, because lettering goes there; `frame.y` where there is none. */
  readonly calm: number;
  /** One hundredth of the frame's shorter side, in pixels; more in frames beyond 16:1, so that the number of shapes stays bounded. */
  readonly unit: number;
  readonly palette: Palette;
  readonly prng: Prng;
  /** How many things are drawn: 0.5 low, 1 medium, 1.6 high. */
  readonly detail: number;
  readonly tags: ReadonlySet<Tag>;
  readonly defs: Defs;
}

/** One family of pictures. The ground is left out where the background is transparent. */
export interface Motif {
  readonly name: MotifName;
  /** Whether the upper part of its ground is calm enough to carry lettering. */
  readonly carriesLettering: boolean;
  ground(stage: Stage): Markup;
  figures(stage: Stage): Markup;
}
