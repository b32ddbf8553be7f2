import { splitGraphemes } from './shaping.ts';

/** The text of the lettering: a title and, for longer prompts, a subtitle. Either may be empty. */
export interface Wording {
  readonly title: string;
  readonly subtitle: string;
}

/** A longer prompt is cut and ends in an ellipsis. */
export const MAX_LETTERED_GRAPHEMES = 90;
const PREPOSITIONS =
  'in|on|at|with|under|over|near|by|that|while|during|from|into|mit|auf|unter|avec|dans|sous|sur|con|en|bajo|sobre|' +
  'на|под|над|с|в';
const BEFORE_PREPOSITION = new RegExp(String.raw`\s(?=(?:${PREPOSITIONS})\s)`, 'giu');
const MAX_READ_CHARACTERS = 4000;
const MAX_TITLE_GRAPHEMES = 44;
const MIN_TITLE_GRAPHEMES = 6;

/** Removes controls, direction overrides, lone surrogates and excess combining marks. */
export function visibleText(prompt: string): string {
  return prompt
    .slice(0, MAX_READ_CHARACTERS)
    .replace(/\s+/gu, ' ')
    .replace(/(?![\u200c\u200d])[\p{C}\u{fff9}-\u{fffd}]/gu, '')
    .normalize('NFC')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/ +/g, ' ')
    .trim();
}

export function wordingOf(prompt: string): Wording {
  const all = splitGraphemes(visibleText(prompt));
  const cut = all.length > MAX_LETTERED_GRAPHEMES;
  const text = cut ? `${trimEnd(wholeWords(all.slice(0, MAX_LETTERED_GRAPHEMES)))}…` : all.join('');
  const clause = text.search(/[,;:.!?،。、，：—–]\s|\s[-—–|/]\s/u);
  if (clause >= MIN_TITLE_GRAPHEMES && clause <= MAX_TITLE_GRAPHEMES) {
    const keep = /[!?]/.test(text[clause] ?? '') ? 1 : 0;
    return {
      title: trimEnd(text.slice(0, clause + keep)),
      subtitle: text.slice(clause + 1).replace(/^[\s\-—–|/]+/u, ''),
    };
  }
  if (text.length <= MAX_TITLE_GRAPHEMES) return { title: trimEnd(text), subtitle: '' };
  const hinge = [...text.matchAll(BEFORE_PREPOSITION)]
    .map((m) => m.index)
    .filter((at) => at >= 12 && at <= MAX_TITLE_GRAPHEMES)
    .at(-1);
  if (hinge === undefined) return { title: text, subtitle: '' };
  return { title: text.slice(0, hinge), subtitle: text.slice(hinge + 1) };
}

/** Cuts the text at its last space, unless that would remove 40% or more, as in scripts without spaces. */
function wholeWords(letters: readonly string[]): string {
  const text = letters.join('');
  const space = text.lastIndexOf(' ');
  return space > text.length * 0.6 ? text.slice(0, space) : text;
}

const trimEnd = (text: string): string => text.replace(/[\s,;:.،。、，：—–-]+$/u, '') || text;

/** Converts to capitals. Greek capitals have no accents. */
export const toCapitals = (text: string): string =>
  /\p{Script=Greek}/u.test(text) ? text.toLocaleUpperCase('el') : text.toUpperCase();

export const withInitial = (text: string): string => text.replace(/^\p{Ll}/u, (first) => first.toUpperCase());
