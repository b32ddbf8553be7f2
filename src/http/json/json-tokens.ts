const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Bytes of a string that are checked one by one before `indexOf` searches for its end. Most strings are shorter. */
const NEAR_BYTES = 32;

/**
 * Index after the closing quote of a string whose content begins at `from`; -1 if it is not closed. Takes linear time.
 */
export function endOfString(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const near = Math.min(bytes.length, at + NEAR_BYTES);
    while (at < near && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    if (at < near) return at + 1;
    const quote = bytes.indexOf(QUOTE, at);
    if (quote < 0) return -1;
    // Count backslashes back to `at`, which is never inside an escape, so that no byte is counted twice.
    let first = quote;
    while (first > at && bytes[first - 1] === BACKSLASH) first--;
    if ((quote - first) % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

/** Index after a number or word that begins at `from`, at most `to`. JSON.parse checks later whether it is valid. */
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

const PROTO = Buffer.from('__proto__');

/** Whether a short JSON text may contain `__proto__`, with or without escaped characters. */
export const mayHoldProto = (text: string): boolean => text.includes('__proto__') || /\\u00[567]/.test(text);

/**
 * The same for large texts, in steps. A search for the first characters of the escape would take 2 s for 25 MB of
 * backslashes; a regular expression is slow because V8 interprets its first runs.
 */
export function* mayHoldProtoSomewhere(bytes: Buffer): Generator<void, boolean, void> {
  if (bytes.includes(PROTO)) return true;
  let at = bytes.indexOf(BACKSLASH);
  for (let next = at; at >= 0;) {
    if (
      bytes[at + 1] === 0x75 &&
      bytes[at + 2] === 0x30 &&
      bytes[at + 3] === 0x30 &&
      bytes[at + 4]! >= 0x35 &&
      bytes[at + 4]! <= 0x37
    )
      return true;
    at += 2;
    const near = Math.min(bytes.length, at + NEAR_BYTES);
    while (at < near && bytes[at] !== BACKSLASH) at++;
    if (at >= near) at = bytes.indexOf(BACKSLASH, at);
    if (at >= next) {
      yield;
      next = at + 1_048_576;
    }
  }
  return false;
}
