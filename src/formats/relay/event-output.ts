/** Up to this size, a loop is faster than Buffer.copy. */
const MAX_LOOPED_BYTES = 32;

/** Collects bytes for one write. */
export class EventOutput {
  #bytes: Buffer;
  #length = 0;

  constructor(expectedBytes: number) {
    this.#bytes = Buffer.allocUnsafe(expectedBytes);
  }

  copy(source: Buffer, start: number, end: number): void {
    this.#reserve(end - start);
    const bytes = this.#bytes;
    let length = this.#length;
    if (end - start > MAX_LOOPED_BYTES) length += source.copy(bytes, length, start, end);
    else for (let at = start; at < end; at++) bytes[length++] = source[at]!;
    this.#length = length;
  }

  write(text: string): void {
    this.#reserve(text.length * 3);
    this.#length += this.#bytes.write(text, this.#length);
  }

  take(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#length + bytes, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
