import { splitGraphemes } from './shaping.js';

/** What is lettered: a title and, for longer prompts, a line below it. Either may be empty. */
export interface Wording {
  readonly title: string;
  readonly subtitle: string;
}

/** Graphemes of the prompt that are lettered at most; the rest becomes an ellipsis. */
export const LETTERED_LIMIT = 90;
const READ_LIMIT = 4000;
const TITLE_LIMIT = 44;
const TITLE_MINIMUM = 6;

/** What can be seen of a prompt: no controls, no direction overrides, no lone surrogates, no towers of accents. */
export function visibleText(prompt: string): string {
  return prompt
    .slice(0, READ_LIMIT)
    .replace(/\s+/gu, ' ')
    .replace(/(?![\u200c\u200d])[\p{C}\u{fff9}-\u{fffd}]/gu, '')
    .normalize('NFC')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/ +/g, ' ')
    .trim();
}

export function wordingOf(prompt: string): Wording {
  const all = splitGraphemes(visibleText(prompt));
  const cut = all.length > LETTERED_LIMIT;
  const text = cut ? `${trimEnd(wholeWords(all.slice(0, LETTERED_LIMIT)))}…` : all.join('');
  const clause = text.search(/[,;:.!?،。、，：—–]\s|\s[-—–|/]\s/u);
  if (clause >= TITLE_MINIMUM && clause <= TITLE_LIMIT) {
    const keep = /[!?]/.test(text[clause] ?? '') ? 1 : 0;
    return {
      title: trimEnd(text.slice(0, clause + keep)),
      subtitle: text.slice(clause + 1).replace(/^[\s\-—–|/]+/u, ''),
    };
  }
  if (text.length <= TITLE_LIMIT) return { title: trimEnd(text), subtitle: '' };
  const hinge = [
    ...text.matchAll(
      /\s(?=(?:in|on|at|with|under|over|near|by|that|while|during|from|into|mit|auf|unter|avec|dans|sous|sur|con|en|bajo|sobre|на|под|над|с|в)\s)/giu,
    ),
  ]
    .map((m) => m.index)
    .filter((at) => at >= 12 && at <= TITLE_LIMIT)
    .at(-1);
  if (hinge === undefined) return { title: text, subtitle: '' };
  return { title: text.slice(0, hinge), subtitle: text.slice(hinge + 1) };
}

/** Cut back to the last space, unless that would lose too much (scripts without spaces). */
function wholeWords(letters: readonly string[]): string {
  const text = letters.join('');
  const space = text.lastIndexOf(' ');
  return space > text.length * 0.6 ? text.slice(0, space) : text;
}

const trimEnd = (text: string): string => text.replace(/[\s,;:.،。、，：—–-]+$/u, '') || text;

/** Capitals as posters have them: Greek ones lose their accents. */
export const toCapitals = (text: string): string =>
  /\p{Script=Greek}/u.test(text) ? text.toLocaleUpperCase('el') : text.toUpperCase();

export const withInitial = (text: string): string => text.replace(/^\p{Ll}/u, (first) => first.toUpperCase());
