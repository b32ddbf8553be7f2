/** Added to the bytes of each text, so that the number of texts is limited too. */
const BYTES_PER_TEXT = 32;

/** Collects texts up to a total number of UTF-8 bytes. Further texts are omitted. */
export class BoundedTexts {
  #left: number;
  #isTruncated = false;

  constructor(maxBytes: number) {
    this.#left = maxBytes;
  }

  /** Whether some text was shortened or omitted. */
  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  /**
   * Returns the text, or the start of it that fits; undefined if nothing fits. PostgreSQL's jsonb can store the result.
   */
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
    // With `stream`, the bytes of an incomplete last character are omitted.
    const taken = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, room), { stream: true });
    return taken.replaceAll('\0', '\uFFFD');
  }
}
