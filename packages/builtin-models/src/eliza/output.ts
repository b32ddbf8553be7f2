/** A longer word is sent in several pieces. */
const MAX_PIECE_CHARACTERS = 32;
const MAX_STOP_STRINGS = 16;
const MAX_STOP_CHARACTERS = 256;

/**
 * What is sent of a text: at most this many bytes of UTF-8, and nothing from the first stop string on. Empty, over-long
 * and surplus stop strings are ignored. `isCut` where the bound of bytes ended it.
 */
export function cutReply(text: string, stops: readonly string[], maxBytes: number): { text: string; isCut: boolean } {
  // Long enough for a stop string that begins within the bound.
  const start = text.slice(0, maxBytes + MAX_STOP_CHARACTERS);
  const places = stops
    .slice(0, MAX_STOP_STRINGS)
    .filter((stop) => stop !== '' && stop.length <= MAX_STOP_CHARACTERS)
    .map((stop) => start.indexOf(stop))
    .filter((place) => place >= 0);
  const wanted = start.slice(0, Math.min(start.length, ...places));
  const sent = cutAtBytes(wanted, maxBytes);
  return { text: sent, isCut: sent.length < wanted.length };
}

/** The longest start of a text that fits into this many bytes of UTF-8, cut between characters. */
export function cutAtBytes(text: string, maxBytes: number): string {
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= maxBytes) return text;
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** Words with the spaces before them. Joined they are the text again. */
export function* piecesOf(text: string): Generator<string> {
  let piece = '';
  let hasWord = false;
  for (const character of text) {
    const isSpace = character === ' ' || character === '\n';
    if ((isSpace && hasWord) || piece.length >= MAX_PIECE_CHARACTERS) {
      yield piece;
      piece = '';
      hasWord = false;
    }
    piece += character;
    hasWord ||= !isSpace;
  }
  if (piece !== '') yield piece;
}
