import { isUtf8 } from 'node:buffer';

/** Control characters of text files: bell, backspace, tab, line ends, form feed, and ESC of coloured logs. */
const TEXT_CONTROLS = new Set([0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);
const IS_BINARY = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte < 0x20 && !TEXT_CONTROLS.has(byte)) || byte === 0x7f ? 1 : 0,
);

/** Decides incrementally whether bytes are UTF-8 text. Buffers at most three bytes. */
export class Utf8Text {
  #isValid = true;
  /** The incomplete character at the end of the last chunk. */
  #open = Buffer.alloc(0);

  /** False after the first byte that is not part of a text. */
  get isText(): boolean {
    return this.#isValid;
  }

  push(chunk: Uint8Array): void {
    if (!this.#isValid) return;
    let from = 0;
    if (this.#open.length > 0) {
      from = Math.min(lengthAfter(this.#open[0]!) - this.#open.length, chunk.length);
      this.#open = Buffer.concat([this.#open, chunk.subarray(0, from)]);
      if (this.#open.length < lengthAfter(this.#open[0]!)) return;
      this.#isValid = isUtf8(this.#open);
      this.#open = Buffer.alloc(0);
    }
    const whole = chunk.subarray(from, wholeUntil(chunk, from));
    this.#isValid &&= isUtf8(whole) && !hasBinary(whole);
    // Copied, because the chunk's memory may be reused.
    this.#open = Buffer.from(chunk.subarray(from + whole.length));
  }

  /** After the last byte: whether everything was text and no character is incomplete. */
  end(): boolean {
    return this.#isValid && this.#open.length === 0;
  }
}

/** Length in bytes of a character that starts with this byte; 1 for an invalid byte. */
const lengthAfter = (first: number): number => (first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1);

/** The index of a character that continues beyond the chunk; the length of the chunk if there is none. */
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
