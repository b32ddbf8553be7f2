/** Counted for each text beside its bytes, so that the number of texts is bounded too. */
const BYTES_PER_TEXT = 32;

/** Takes texts up to a number of UTF-8 bytes in all; later ones are left out. */
export class BoundedTexts {
  #left: number;
  #isTruncated = false;

  constructor(maxBytes: number) {
    this.#left = maxBytes;
  }

  /** Whether some text was shortened or left out. */
  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  /** The text, or its begin; undefined where nothing more fits. Always storable in PostgreSQL's jsonb. */
  take(text: string): string | undefined {
    const room = this.#left - BYTES_PER_TEXT;
    if (room <= 0) {
      this.#isTruncated = true;
      return undefined;
    }
    // A text has at least as many bytes as characters.
    const bytes = Buffer.from(text.slice(0, room));
    const fits = bytes.length <= room && text.length <= room;
    if (!fits) this.#isTruncated = true;
    this.#left = fits ? room - bytes.length : 0;
    // With `stream`, the bytes of an incomplete last character are left out.
    const taken = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, room), { stream: true });
    return taken.replaceAll('\0', '\uFFFD');
  }
}
