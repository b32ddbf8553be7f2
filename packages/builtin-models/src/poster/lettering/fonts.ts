import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Font } from 'fontkit';

/** The name of a typeface for the lettering. */
export type FaceName = 'poster' | 'serif' | 'sans';

export interface Face {
  readonly capitals: boolean;
  /** The distance between two baselines, in ems. */
  readonly leading: number;
  /** The space added after every glyph, in ems. */
  readonly tracking: number;
  /** The space between words, in ems. */
  readonly space: number;
  readonly title: readonly string[];
  readonly text: readonly string[];
}

const filesOf = (family: string, subsets: string) => (weight: number) =>
  subsets.split(' ').map((subset) => `${family}/${subset}-${weight}`);
const sofia = filesOf('sofia-sans-extra-condensed', 'latin latin-ext cyrillic cyrillic-ext greek');
const alegreya = filesOf('alegreya', 'latin latin-ext vietnamese cyrillic cyrillic-ext greek greek-ext');
const rubik = filesOf('rubik', 'latin latin-ext cyrillic cyrillic-ext hebrew arabic');

/** Each face falls back to at least one other face, so each covers Latin, Greek, Cyrillic, Hebrew and Arabic. */
export const FACES: Readonly<Record<FaceName, Face>> = {
  poster: {
    capitals: true,
    leading: 0.9,
    tracking: 0.004,
    space: 0.19,
    title: [...sofia(800), ...rubik(700), ...alegreya(700)],
    text: [...sofia(500), ...rubik(500), ...alegreya(500)],
  },
  serif: {
    capitals: false,
    leading: 0.98,
    tracking: -0.008,
    space: 0.22,
    title: [...alegreya(700), ...rubik(700)],
    text: [...alegreya(500), ...rubik(500)],
  },
  sans: {
    capitals: false,
    leading: 1.04,
    tracking: -0.012,
    space: 0.25,
    title: [...rubik(700), ...alegreya(700)],
    text: [...rubik(500), ...alegreya(500)],
  },
};

const require = createRequire(import.meta.url);
const loaded = new Map<string, Font>();

function load(key: string): Font {
  let font = loaded.get(key);
  if (!font) {
    // fontkit is loaded with the first font.
    const { create } = require('fontkit') as typeof import('fontkit');
    const [family, rest] = key.split('/') as [string, string];
    const opened = create(readFileSync(require.resolve(`@fontsource/${family}/files/${family}-${rest}-normal.woff`)));
    if (!('layout' in opened)) throw new Error(`${key} is a collection of fonts`);
    font = opened;
    loaded.set(key, font);
  }
  return font;
}

/** The code points that the font files of a subset may have. A font that cannot have a character is not opened. */
const MAY_HAVE: readonly (readonly [subset: RegExp, range: (codePoint: number) => boolean])[] = [
  [
    /\/(latin|latin-ext|vietnamese)-/,
    (c) => c < 0x370 || (c >= 0x1e00 && c < 0x1f00) || (c >= 0x2000 && c < 0x2e80) || c >= 0xa720,
  ],
  [/\/cyrillic/, (c) => (c >= 0x300 && c < 0x530) || (c >= 0x1c80 && c < 0x2200)],
  [/\/greek/, (c) => (c >= 0x300 && c < 0x400) || (c >= 0x1f00 && c < 0x2000)],
  [/\/hebrew/, (c) => (c >= 0x590 && c < 0x600) || c === 0x20aa || (c >= 0xfb1d && c < 0xfb50)],
  [/\/arabic/, (c) => (c >= 0x600 && c < 0x780) || (c >= 0x8a0 && c < 0x900) || (c >= 0xfb50 && c < 0xff00)],
];

function mayHave(key: string, codePoint: number): boolean {
  return MAY_HAVE.some(([subset, range]) => subset.test(key) && range(codePoint));
}

/** The first font of the chain that has every character of the grapheme, or undefined. Joiners need no glyph. */
export function fontFor(chain: readonly string[], grapheme: string): Font | undefined {
  const codePoints = [...grapheme].map((c) => c.codePointAt(0) ?? 0).filter((c) => c !== 0x200c && c !== 0x200d);
  if (codePoints.length === 0) return undefined;
  for (const key of chain) {
    if (!codePoints.every((c) => mayHave(key, c))) continue;
    const font = load(key);
    if (codePoints.every((c) => font.hasGlyphForCodePoint(c))) return font;
  }
  return undefined;
}

/** The height of the face's capitals, in ems. */
export function capHeight(chain: readonly string[]): number {
  const font = load(chain[0] ?? '');
  return font.capHeight / font.unitsPerEm;
}
