const DEFAULT_MAX_CHARACTERS = 2_000;
/**
 * Characters that are not displayed: control, format, private and unassigned characters, line separators, and others.
 */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const CHARACTER = /\\u[0-9a-f]{4}|\\.|./gsu;

/**
 * A text of the model inside a question: in quotes, on one line and with hidden characters escaped. The text therefore
 * cannot be mistaken for another part of the question or be displayed in another order. If the escaped text has more
 * than `max` characters, returns both ends and the number of omitted characters.
 */
export function shown(text: string, max = DEFAULT_MAX_CHARACTERS): string {
  const whole = text.length <= max ? escaped(text) : undefined;
  if (whole !== undefined && whole.length <= max) return `"${whole}"`;
  const head = upTo(max / 2, charactersOf(text.slice(0, max)));
  const tail = upTo(max / 2, charactersOf(text.slice(-max)).toReversed()).toReversed();
  const left = text.length - unitsOf(head) - unitsOf(tail);
  return `"${head.join('')}" … ${left} characters left out … "${tail.join('')}"`;
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1).replace(HIDDEN, asUnits);

const asUnits = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** The characters of the escaped text. An escape counts as one. */
const charactersOf = (text: string): string[] => escaped(text).match(CHARACTER) ?? [];

function upTo(max: number, characters: readonly string[]): string[] {
  let length = 0;
  const end = characters.findIndex((character) => (length += character.length) > max);
  return characters.slice(0, end < 0 ? undefined : end);
}

/** UTF-16 code units before escaping. */
const unitsOf = (characters: readonly string[]): number =>
  characters.reduce((sum, character) => sum + (character.startsWith('\\') ? 1 : character.length), 0);
