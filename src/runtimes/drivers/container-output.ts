import { Transform, type TransformCallback } from 'node:stream';

const HEADER_BYTES = 8;
const STANDARD_OUTPUT = 1;

/**
 * The standard output in an attached stream of the Docker Engine. The stream has a header before each piece: one byte
 * for the stream, three zero bytes, and four bytes for the length of the piece. Programs of the intern control the
 * number and size of the pieces. dockerode's `demuxStream` is not usable: it recurses once for each piece of a chunk,
 * overflows the stack at about 5,000 pieces, and has no backpressure.
 */
export class ContainerOutput extends Transform {
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerBytes = 0;
  #isOutput = false;
  /** Bytes of the current piece that have not arrived yet. */
  #missing = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const pieces: Buffer[] = [];
    for (let at = 0; at < chunk.length;) {
      if (this.#missing === 0) {
        at += this.#readHeader(chunk, at);
        continue;
      }
      const piece = chunk.subarray(at, at + this.#missing);
      if (this.#isOutput) pieces.push(piece);
      this.#missing -= piece.length;
      at += piece.length;
    }
    done(null, pieces.length > 0 ? Buffer.concat(pieces) : undefined);
  }

  /** Reads the next bytes of a header. Returns their number. */
  #readHeader(chunk: Buffer, at: number): number {
    const read = chunk.copy(this.#header, this.#headerBytes, at);
    this.#headerBytes += read;
    if (this.#headerBytes === HEADER_BYTES) {
      this.#headerBytes = 0;
      this.#isOutput = this.#header[0] === STANDARD_OUTPUT;
      this.#missing = this.#header.readUInt32BE(4);
    }
    return read;
  }
}
