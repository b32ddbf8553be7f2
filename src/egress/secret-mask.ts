import { Transform, type TransformCallback } from 'node:stream';

/**
 * Keeps secrets out of an answer: a host that repeats what it was sent does not thereby tell the intern. Each occurrence becomes as
 * many asterisks, so that lengths, and frames that are counted by them, stay true. Occurrences across chunks are found too.
 */
export class SecretMask extends Transform {
  readonly #values: readonly Buffer[];
  readonly #overlap: number;
  #kept: Buffer = Buffer.alloc(0);

  constructor(values: readonly string[]) {
    super();
    this.#values = formsOf(values).map((form) => Buffer.from(form, 'utf8'));
    this.#overlap = Math.max(...this.#values.map(({ length }) => length)) - 1;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const bytes = this.#masked(Buffer.concat([this.#kept, chunk]));
    // Hold back only what may be the beginning of an occurrence.
    const hold = this.#beginningAtEnd(bytes);
    this.#kept = bytes.subarray(bytes.length - hold);
    done(null, bytes.subarray(0, bytes.length - hold));
  }

  override _flush(done: TransformCallback): void {
    done(null, this.#kept);
  }

  #masked(bytes: Buffer): Buffer {
    for (const value of this.#values) {
      for (let at = bytes.indexOf(value); at >= 0; at = bytes.indexOf(value, at))
        bytes.fill('*', at, at + value.length);
    }
    return bytes;
  }

  #beginningAtEnd(bytes: Buffer): number {
    for (let length = Math.min(this.#overlap, bytes.length); length > 0; length--) {
      const end = bytes.subarray(bytes.length - length);
      if (this.#values.some((value) => length < value.length && value.subarray(0, length).equals(end))) return length;
    }
    return 0;
  }
}

/** A header of an answer without the secrets in it. */
export const maskedText = (text: string, values: readonly string[]): string =>
  formsOf(values).reduce((masked, form) => masked.replaceAll(form, '*'.repeat(form.length)), text);

/** A shorter value is no secret that anyone could keep, and looking for it would ruin every answer. */
const SHORTEST = 6;

/** Whether there is anything to look for. */
export const canMask = (values: readonly string[]): boolean => formsOf(values).length > 0;

/** As it is, as it stands in a URL, in JSON and in base64. */
function formsOf(values: readonly string[]): string[] {
  const forms = values
    .filter((value) => value.length >= SHORTEST)
    .flatMap((value) => [
      value,
      encodeURIComponent(value),
      JSON.stringify(value).slice(1, -1),
      Buffer.from(value, 'utf8').toString('base64').replace(/=+$/, ''),
    ]);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}
