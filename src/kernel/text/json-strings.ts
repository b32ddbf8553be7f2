const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/**
 * Number of bytes that are checked one by one before `indexOf` searches for the end of a string. Most strings are
 * shorter.
 */
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
