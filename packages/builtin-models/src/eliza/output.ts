/** Longer words are sent in several pieces. */
const MAX_PIECE_CHARACTERS = 32;
const MAX_STOP_STRINGS = 16;
const MAX_STOP_CHARACTERS = 256;

/**
 * The part of a text to send: at most `maxBytes` bytes of UTF-8, ending before the first stop string. Empty stop
 * strings, stop strings that are too long, and stop strings beyond the maximum number are ignored. `isCut` is true if
 * the text was cut at `maxBytes`.
 */
export function cutReply(text: string, stops: readonly string[], maxBytes: number): { text: string; isCut: boolean } {
  // Long enough for a stop string that starts within the limit.
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

/** The longest prefix of a text that fits into `maxBytes` bytes of UTF-8, cut between characters. */
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

/** Splits a text into words, each with the spaces before it. The joined pieces are the original text. */
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
