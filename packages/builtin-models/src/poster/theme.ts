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

/** A target and the words that select it, grouped by how they match. */
interface Row<T> {
  readonly target: T;
  readonly words: ReadonlySet<string>;
  readonly stems: readonly string[];
  readonly substrings: readonly string[];
}

const rowsOf = <T>(rows: readonly (readonly [T, string])[]): Row<T>[] =>
  rows.map(([target, list]) => {
    const all = list.split(' ');
    return {
      target,
      words: new Set(all.filter((word) => !word.endsWith('*') && !SPACELESS.test(word))),
      stems: all.filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1)),
      substrings: all.filter((word) => SPACELESS.test(word)),
    };
  });

const MOTIF_ROWS = rowsOf(MOTIF_WORDS);
const MOOD_ROWS = rowsOf(MOOD_WORDS);
const COLOUR_ROWS = rowsOf(COLOUR_WORDS);

/** The target of the row that matches the earliest token. A match of a substring counts as later than all tokens. */
function firstNamed<T>(rows: readonly Row<T>[], tokens: readonly string[], text: string): T | undefined {
  let best: { target: T; place: number } | undefined;
  for (const { target, words, stems, substrings } of rows) {
    let place = tokens.findIndex((token) => words.has(token) || stems.some((stem) => token.startsWith(stem)));
    if (place < 0) place = substrings.some((part) => text.includes(part)) ? tokens.length : Infinity;
    if (place < (best?.place ?? Infinity)) best = { target, place };
  }
  return best?.target;
}

/** Chooses the theme by the prompt's words. The seed decides what the words do not determine. */
export function themeOf(prompt: string, prng: Prng): Theme {
  const text = prompt.slice(0, MAX_READ_CHARACTERS).normalize('NFC').toLowerCase();
  const tokens = text.match(/[\p{L}\p{M}]+/gu) ?? [];
  const motif = firstNamed(MOTIF_ROWS, tokens, text);
  const named = firstNamed(MOOD_ROWS, tokens, text);
  const colour = firstNamed(COLOUR_ROWS, tokens, text);
  const drawn = prng.pick(motif ? MOODS_OF_MOTIF[motif] : GENERIC_MOODS);
  const mood = named ? MOODS[named] : colour ? moodOfHue(...colour) : MOODS[drawn];
  return { motif: motif ?? prng.pick(GENERIC_MOTIFS), mood };
}
