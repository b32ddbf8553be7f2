const MIN_BYTES = 1_024;
/** Up to this size, a loop is faster than Buffer.copy. */
const MAX_LOOPED_BYTES = 32;
/** A longer text is kept as a string, because encoding it takes milliseconds per megabyte. */
const MAX_ENCODED_CHARACTERS = 65_536;

/**
 * The text of a response received so far, for counting its tokens if the vendor reports none. It is stored as the
 * content of a JSON string, so that bytes of a chunk can be copied. It is decoded on demand.
 */
export class ReceivedText {
  /** The text that precedes the text in `#bytes`. */
  #before = '';
  #bytes = Buffer.allocUnsafe(0);
  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0 && this.#before === '';
  }

  /** Appends the content of a JSON string in `source`. */
  appendJson(source: Buffer, start: number, end: number): void {
    this.#reserve(end - start);
    if (end - start > MAX_LOOPED_BYTES) this.#length += source.copy(this.#bytes, this.#length, start, end);
    else for (let at = start; at < end; at++) this.#bytes[this.#length++] = source[at]!;
  }

  append(text: string): void {
    if (text === '') return;
    if (text.length > MAX_ENCODED_CHARACTERS) {
      this.#before = this.toString() + text;
      this.#length = 0;
      return;
    }
    const json = JSON.stringify(text);
    this.#reserve(json.length * 3);
    this.#length += this.#bytes.write(json.slice(1, -1), this.#length);
  }

  toString(): string {
    if (this.#length === 0) return this.#before;
    return this.#before + (JSON.parse(`"${this.#bytes.toString('utf8', 0, this.#length)}"`) as string);
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(MIN_BYTES, needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
