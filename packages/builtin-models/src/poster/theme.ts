import { GENERIC_MOODS, MOODS, moodOfHue, type Mood, type MoodName } from './moods.ts';
import type { Prng } from './prng.ts';
import { COLOUR_WORDS, MOOD_WORDS, MOTIF_WORDS, type MotifName } from './theme-words.ts';

export interface Theme {
  readonly motif: MotifName;
  readonly mood: Mood;
}

/** Words after this many UTF-16 units do not affect the theme (they still affect the seed). */
const MAX_READ_CHARACTERS = 4000;

const MOODS_OF_MOTIF: Record<MotifName, readonly MoodName[]> = {
  bauhaus: ['primary', 'midcentury', 'sea', 'autumn', 'noir'],
  mountains: ['dawn', 'winter', 'sunset', 'forest', 'spring', 'autumn', 'desert'],
  waves: ['sea', 'sea', 'dawn', 'sunset', 'night'],
};

const GENERIC_MOTIFS: readonly MotifName[] = ['bauhaus', 'mountains', 'waves'];

const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

interface Matcher {
  readonly words: ReadonlySet<string>;
  readonly stems: readonly string[];
  readonly substrings: readonly string[];
}

const matchers = new Map<string, Matcher>();

function matcherOf(row: string): Matcher {
  let known = matchers.get(row);
  if (!known) {
    const all = row.split(' ');
    known = {
      words: new Set(all.filter((w) => !w.endsWith('*') && !SPACELESS.test(w))),
      stems: all.filter((w) => w.endsWith('*')).map((w) => w.slice(0, -1)),
      substrings: all.filter((w) => SPACELESS.test(w)),
    };
    matchers.set(row, known);
  }
  return known;
}

/** The position of the first token that a row matches; the number of tokens for a substring; otherwise Infinity. */
function placeOf(row: string, tokens: readonly string[], text: string): number {
  const { words, stems, substrings } = matcherOf(row);
  const place = tokens.findIndex((token) => words.has(token) || stems.some((stem) => token.startsWith(stem)));
  if (place >= 0) return place;
  return substrings.some((part) => text.includes(part)) ? tokens.length : Infinity;
}

function firstNamed<T>(
  rows: readonly (readonly [T, string])[],
  tokens: readonly string[],
  text: string,
): T | undefined {
  let best: { target: T; place: number } | undefined;
  for (const [target, row] of rows) {
    const place = placeOf(row, tokens, text);
    if (place < (best?.place ?? Infinity)) best = { target, place };
  }
  return best?.target;
}

/** Chooses the theme by the prompt's words. The seed decides what the words do not determine. */
export function themeOf(prompt: string, prng: Prng): Theme {
  const text = prompt.slice(0, MAX_READ_CHARACTERS).normalize('NFC').toLowerCase();
  const tokens = text.match(/[\p{L}\p{M}]+/gu) ?? [];
  const motif = firstNamed(MOTIF_WORDS, tokens, text);
  const named = firstNamed(MOOD_WORDS, tokens, text);
  const colour = firstNamed(COLOUR_WORDS, tokens, text);
  const drawn = prng.pick(motif ? MOODS_OF_MOTIF[motif] : GENERIC_MOODS);
  const mood = named ? MOODS[named] : colour ? moodOfHue(...colour) : MOODS[drawn];
  return { motif: motif ?? prng.pick(GENERIC_MOTIFS), mood };
}
