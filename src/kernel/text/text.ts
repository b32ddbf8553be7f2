/** Length in Unicode code points. */
export function lengthInCharacters(text: string): number {
  let surrogatePairs = 0;
  for (let index = 0; index < text.length - 1; index++) {
    const high = text.charCodeAt(index);
    if (high < 0xd800 || high > 0xdbff) continue;
    const low = text.charCodeAt(index + 1);
    if (low >= 0xdc00 && low <= 0xdfff) {
      surrogatePairs++;
      index++;
    }
  }
  return text.length - surrogatePairs;
}

/**
 * Whether a text has more than `most` characters. A text that is far too long is not counted, because counting 25 MB
 * takes 100 ms.
 */
export const isLongerThan = (text: string, most: number): boolean =>
  text.length > 2 * most || (text.length > most && lengthInCharacters(text) > most);

/**
 * Why a text cannot be a name or an id; undefined = it can. Control characters are Unicode's category Cc.
 * PostgreSQL would store a lone surrogate as another character.
 */
export function faultOfName(text: string): string | undefined {
  if (/\p{Cs}/u.test(text)) return 'must be well-formed Unicode';
  return /\p{Cc}/u.test(text) ? 'must not contain control characters' : undefined;
}

/** Decodes percent-encoding. Undefined if it is invalid. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
