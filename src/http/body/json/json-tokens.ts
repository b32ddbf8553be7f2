/** Index after a number or word that starts at `from`, at most `to`. JSON.parse checks later whether it is valid. */
export function endOfScalar(bytes: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to && isScalar(bytes[at]!)) at++;
  return at;
}

/** Letters, digits, and the signs of numbers. */
const isScalar = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  byte === 0x2d ||
  byte === 0x2b ||
  byte === 0x2e;
