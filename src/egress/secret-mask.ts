import { Transform, type TransformCallback } from 'node:stream';
import { callbackify } from 'node:util';
import { SLICE_BYTES, type MaskWindow } from './masking/mask-window.js';
import type { SecretMatcher } from './masking/secret-matcher.js';
import { TimeSlices } from './masking/time-slices.js';

/**
 * Masks secrets in a response, because a host may echo its request. Each byte of an occurrence becomes an asterisk, so
 * that lengths do not change. Fails if the response cannot be searched in reasonable time.
 */
export class SecretMask extends Transform {
  readonly #window: MaskWindow;
  readonly #searched = callbackify((chunk: Buffer) => this.#search(chunk));

  constructor(matcher: SecretMatcher) {
    super();
    this.#window = matcher.newWindow();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#searched(chunk, done);
  }

  override _flush(done: TransformCallback): void {
    try {
      this.push(this.#window.end());
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  async #search(chunk: Buffer): Promise<void> {
    const slices = new TimeSlices();
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      const bytes = this.#window.push(chunk.subarray(at, at + SLICE_BYTES));
      if (bytes.length > 0) this.push(bytes);
      if (slices.isOver) await slices.pause();
    }
  }
}
