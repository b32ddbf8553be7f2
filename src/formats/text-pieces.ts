/**
 * Maximum size of one message to the thread that counts tokens. Sending such a message blocks the event loop for 0.1
 * ms. A cut adds at most one token to the count.
 */
const MAX_PIECE_CHARACTERS = 64 * 1024;

/** A position in texts that are read in pieces. */
export interface PiecePosition {
  readonly texts: readonly string[];
  /** The index of the text in which the next piece starts. */
  text: number;
  /** The index of the character in that text at which the next piece starts. */
  position: number;
}

/** Returns the next characters to count, and advances the position; undefined at the end. Short texts are joined. */
export function nextPiece(at: PiecePosition): string | undefined {
  let piece = '';
  while (piece.length < MAX_PIECE_CHARACTERS && at.text < at.texts.length) {
    const text = at.texts[at.text]!;
    let end = Math.min(text.length, at.position + MAX_PIECE_CHARACTERS - piece.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end++;
    piece += text.slice(at.position, end);
    at.position = end;
    if (end === text.length) {
      at.text++;
      at.position = 0;
    }
  }
  return piece === '' ? undefined : piece;
}

export const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** The total UTF-8 bytes of all texts. */
export const bytesOf = (texts: readonly string[]): number =>
  texts.reduce((total, text) => total + Buffer.byteLength(text), 0);

/** The UTF-8 bytes that were not part of a piece yet. */
export const bytesOfRest = ({ texts, text, position }: PiecePosition): number =>
  bytesOf([texts[text]?.slice(position) ?? '', ...texts.slice(text + 1)]);
