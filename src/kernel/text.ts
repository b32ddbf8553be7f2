/** Length in characters as the specification counts them: Unicode code points. */
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
 * What keeps a text from being a name or an id; undefined = nothing. Control characters are Unicode's category Cc. Half of a
 * surrogate pair would be stored as another character than the one that was sent.
 */
export function faultOfName(text: string): string | undefined {
  if (/\p{Cs}/u.test(text)) return 'must be well-formed Unicode';
  return /\p{Cc}/u.test(text) ? 'must not contain control characters' : undefined;
}
