import { isUtf8 } from 'node:buffer';

/** Control characters that text files do hold: bell, backspace, tab, line ends, form feed, and the escape of coloured logs. */
const TEXT_CONTROLS = new Set([0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);
const IS_BINARY = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte < 0x20 && !TEXT_CONTROLS.has(byte)) || byte === 0x7f ? 1 : 0,
);

/** Decides while bytes arrive whether they are UTF-8 text. Holds at most three bytes. */
export class Utf8Text {
  #sound = true;
  /** The beginning of a character whose rest is still to come. */
  #open = Buffer.alloc(0);

  /** False from the first byte on that no text holds. */
  get sound(): boolean {
    return this.#sound;
  }

  push(chunk: Uint8Array): void {
    if (!this.#sound) return;
    let from = 0;
    if (this.#open.length > 0) {
      from = Math.min(lengthAfter(this.#open[0]!) - this.#open.length, chunk.length);
      this.#open = Buffer.concat([this.#open, chunk.subarray(0, from)]);
      if (this.#open.length < lengthAfter(this.#open[0]!)) return;
      this.#sound = isUtf8(this.#open);
      this.#open = Buffer.alloc(0);
    }
    const whole = chunk.subarray(from, wholeUntil(chunk, from));
    this.#sound &&= isUtf8(whole) && !hasBinary(whole);
    // A copy, because the chunk's memory may be used again.
    this.#open = Buffer.from(chunk.subarray(from + whole.length));
  }

  /** After the last byte: whether all of it was text, and no character was cut off. */
  end(): boolean {
    return this.#sound && this.#open.length === 0;
  }
}

/** How many bytes a character takes that begins with this one; 1 for a byte that begins none. */
const lengthAfter = (first: number): number => (first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1);

/** Where a character begins that the chunk does not end; else the chunk's end. */
function wholeUntil(chunk: Uint8Array, from: number): number {
  for (let at = chunk.length - 1; at >= Math.max(from, chunk.length - 3); at--) {
    if (chunk[at]! >= 0xc0) return at + lengthAfter(chunk[at]!) > chunk.length ? at : chunk.length;
    if (chunk[at]! < 0x80) break;
  }
  return chunk.length;
}

function hasBinary(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if (IS_BINARY[bytes[at]!] === 1) return true;
  return false;
}
