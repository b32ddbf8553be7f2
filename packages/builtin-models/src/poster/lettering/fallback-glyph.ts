import { Prng } from '../prng.ts';
import { num } from '../svg.ts';

/** A glyph, a run of glyphs or a line. */
export interface Lettering {
  /** The width, in ems. */
  readonly advance: number;
  /** Path data at `size` pixels per em, with the left end at (x, baseline). */
  draw(x: number, baseline: number, size: number): string;
}

const CELL_EMS = 0.345;
const STEP_EMS = 0.38;
const MAX_CACHED_GLYPHS = 2_000;

const known = new Map<string, Lettering>();

/** A glyph for a character that no shipped font has. The glyph depends on the character, not on the host's fonts. */
export function fallbackGlyph(grapheme: string): Lettering {
  const found = known.get(grapheme);
  if (found) return found;
  if (known.size >= MAX_CACHED_GLYPHS) known.clear();
  const glyph = drawnWith(Prng.of('glyph', grapheme, 0));
  known.set(grapheme, glyph);
  return glyph;
}

function drawnWith(prng: Prng): Lettering {
  const empty = prng.int(0, 4);
  const forms = Array.from({ length: 4 }, () => [prng.pick([disc, square]), prng.pick([0.6, 0.8, 1])] as const);
  return {
    advance: 2 * STEP_EMS + 0.06,
    draw: (x, baseline, size) =>
      forms
        .map(([form, scale], cell) => {
          if (cell === empty) return '';
          const [left, up] = [(cell % 2) * STEP_EMS, Math.floor(cell / 2) * STEP_EMS];
          const half = CELL_EMS / 2;
          return form(x + (left + half) * size, baseline - (up + half) * size, half * scale * size);
        })
        .join(''),
  };
}

/** Square and disc have their centre at (x, y). */
const square = (x: number, y: number, r: number): string =>
  `M${num(x - r)} ${num(y - r)}H${num(x + r)}V${num(y + r)}H${num(x - r)}Z`;
const disc = (x: number, y: number, r: number): string =>
  `M${num(x - r)} ${num(y)}a${num(r)} ${num(r)} 0 1 1 ${num(2 * r)} 0a${num(r)} ${num(r)} 0 1 1 ${num(-2 * r)} 0Z`;
