import { wordSet, type Clause } from './words.ts';

const MAX_QUOTED_WORDS = 14;

const REFLECTIONS: ReadonlyMap<string, string> = new Map(
  (
    'i you|me you|my your|mine yours|myself yourself|am are|your my|yours mine|yourself myself|we you|us you|' +
    'our your|ours yours|ourselves yourselves'
  )
    .split('|')
    .map((pair) => pair.split(' ') as [string, string]),
);

/** If one of these words precedes a "you" and another word follows the "you", the "you" is a subject. */
const BEFORE_SUBJECT = wordSet(
  "that if because when while what why how where whether think know hope wish believe say said do did does don't " +
    "didn't can could would will should might may must are were am as than until and",
);
/** If one of these words follows a "you", the "you" is a subject. */
const AFTER_SUBJECT = wordSet(
  "are were have had do did don't didn't will won't would wouldn't can can't could couldn't should shouldn't must " +
    'may might know think want like love hate feel need understand say said never always really only just also make ' +
    'get go see seem sound look',
);
const FILLERS = wordSet('too please lol haha though anyway and or well so');

/**
 * Repeats a part of the user's text from the other person's view: "I lost my keys" → "you lost your keys". The clause's
 * `words` are in lower case; `shown` has the same words in the spelling to quote. `end` is exclusive.
 */
export function reflect({ words, shown }: Clause, start: number, end: number): string {
  let last = end;
  while (last > start + 1 && FILLERS.has(words[last - 1] ?? '')) last--;
  const kept = Math.min(last, start + MAX_QUOTED_WORDS);
  const reflected: string[] = [];
  for (let at = start; at < kept; at++) reflected.push(reflectWord(words, at, at === start) ?? shown[at] ?? '');
  return reflected.join(' ') + (kept < last ? '…' : '');
}

function reflectWord(words: readonly string[], at: number, isFirst: boolean): string | undefined {
  const before = words[at - 1] ?? '';
  const after = words[at + 1] ?? '';
  switch (words[at]) {
    case 'you': {
      const isSubject = after !== '' && (isFirst || BEFORE_SUBJECT.has(before) || AFTER_SUBJECT.has(after));
      return isSubject ? 'I' : 'me';
    }
    case 'are':
      return before === 'you' || after === 'you' ? 'am' : undefined;
    case 'were':
      return before === 'you' || after === 'you' ? 'was' : undefined;
    case 'was':
      return before === 'i' || after === 'i' ? 'were' : undefined;
    default:
      return REFLECTIONS.get(words[at] ?? '');
  }
}
