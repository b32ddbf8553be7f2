/**
 * Keeps at least the last `size` bytes of a stream. Each byte is copied at most twice, however small the chunks are.
 */
export class TailBytes {
  #kept: Buffer | undefined;
  #length = 0;

  constructor(private readonly size: number) {}

  push(piece: Uint8Array): void {
    const bytes = piece.subarray(-this.size);
    const kept = (this.#kept ??= Buffer.allocUnsafe(3 * this.size));
    if (bytes.length < piece.length) this.#length = 0;
    if (this.#length + bytes.length > kept.length) {
      kept.copyWithin(0, this.#length - this.size, this.#length);
      this.#length = this.size;
    }
    kept.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  get bytes(): Buffer {
    return this.#kept?.subarray(0, this.#length) ?? Buffer.alloc(0);
  }
}
