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
