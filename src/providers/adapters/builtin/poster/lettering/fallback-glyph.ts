import { Prng } from '../prng.js';
import { num } from '../svg.js';

/**
 * A glyph for a character that no shipped font has. Its shape is derived from the character, so equal characters look
 * equal and the host's fonts are never used. In ems, y upwards from the baseline.
 */
export interface FallbackGlyph {
  readonly advance: number;
  /** Path data at `size` pixels an em, with the pen at (x, baseline). */
  at(x: number, baseline: number, size: number): string;
}

/** A part of a glyph in its own unit square: path data letters with points, y upwards. */
type Piece = (x: number, y: number, side: number) => readonly (readonly [letter: string, ...numbers: number[]])[];

const WIDE = new RegExp(
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}` +
    String.raw`\p{Extended_Pictographic}\p{Regional_Indicator}]`,
  'u',
);
const PICTURE = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u;

const known = new Map<string, FallbackGlyph>();
const MAX_CACHED_GLYPHS = 2000;

export function fallbackGlyph(grapheme: string): FallbackGlyph {
  const found = known.get(grapheme);
  if (found) return found;
  const glyph = PICTURE.test(grapheme) ? badge(grapheme) : cipher(grapheme);
  if (known.size >= MAX_CACHED_GLYPHS) known.clear();
  known.set(grapheme, glyph);
  return glyph;
}

/** Elementary forms; an arc's numbers are its radius, its sweep and its end. */
const PIECES: readonly Piece[] = [
  (x, y, s) => [['M', x, y], ['L', x, y + s], ['L', x + s, y + s], ['L', x + s, y], ['Z']],
  (x, y, s) => [['M', x, y], ['L', x, y + s], ['A', s, 1, x + s, y], ['Z']],
  (x, y, s) => [['M', x + s, y], ['L', x, y], ['A', s, 1, x + s, y + s], ['Z']],
  (x, y, s) => [['M', x + s, y + s], ['L', x + s, y], ['A', s, 1, x, y + s], ['Z']],
  (x, y, s) => [['M', x, y + s], ['L', x + s, y + s], ['A', s, 1, x, y], ['Z']],
  (x, y, s) => disc(x + s / 2, y + s / 2, s / 2, 1),
  (x, y, s) => [['M', x, y], ['L', x, y + s], ['L', x + s, y], ['Z']],
  (x, y, s) => [['M', x + s, y], ['L', x, y], ['L', x + s, y + s], ['Z']],
  (x, y, s) => [['M', x, y], ['L', x, y + s * 0.38], ['L', x + s, y + s * 0.38], ['L', x + s, y], ['Z']],
  (x, y, s) => [['M', x, y], ['L', x, y + s], ['L', x + s * 0.38, y + s], ['L', x + s * 0.38, y], ['Z']],
];

type Shape = ReturnType<Piece>;

const disc = (cx: number, cy: number, r: number, sweep: 0 | 1): Shape => [
  ['M', cx - r, cy],
  ['A', r, sweep, cx + r, cy],
  ['A', r, sweep, cx - r, cy],
  ['Z'],
];

/** Elementary forms on a grid of two by two, or of one by two for narrow scripts. */
function cipher(grapheme: string): FallbackGlyph {
  const prng = Prng.of('glyph', grapheme, 0);
  const columns = WIDE.test(grapheme) ? 2 : 1;
  const side = 0.345;
  const gap = 0.035;
  const empty = columns === 2 ? prng.int(0, 5) : -1;
  const shapes: Shape[] = [];
  for (let cell = 0; cell < columns * 2; cell++) {
    const piece = prng.pick(PIECES);
    if (cell !== empty)
      shapes.push(piece((cell % columns) * (side + gap), Math.floor(cell / columns) * (side + gap), side));
  }
  return glyphOf(columns * (side + gap) + 0.06, shapes);
}

/** Emoji become a round seal with holes. */
function badge(grapheme: string): FallbackGlyph {
  const prng = Prng.of('badge', grapheme, 0);
  const [cx, cy, r] = [0.42, 0.355, 0.4];
  const count = prng.int(3, 6);
  const shapes: Shape[] = [disc(cx, cy, r, 1)];
  for (let i = 0; i < count; i++) {
    const angle = (i / count) * Math.PI * 2 + Math.PI / 2;
    shapes.push(disc(cx + Math.cos(angle) * r * 0.56, cy + Math.sin(angle) * r * 0.56, (r * 0.8) / count, 0));
  }
  shapes.push(disc(cx, cy, r * prng.pick([0.14, 0.2]), 0));
  return glyphOf(0.88, shapes);
}

function glyphOf(advance: number, shapes: readonly Shape[]): FallbackGlyph {
  return {
    advance,
    at: (x, baseline, size) => {
      const point = (px: number, py: number): string => `${num(x + px * size)} ${num(baseline - py * size)}`;
      return shapes
        .flat()
        .map(([letter, ...v]) => {
          if (letter === 'A')
            return `A${num((v[0] ?? 0) * size)} ${num((v[0] ?? 0) * size)} 0 0 ${v[1]} ${point(v[2] ?? 0, v[3] ?? 0)}`;
          return v.length === 0 ? letter : letter + point(v[0] ?? 0, v[1] ?? 0);
        })
        .join('');
    },
  };
}
