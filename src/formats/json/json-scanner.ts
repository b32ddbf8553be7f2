const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MAX_DEPTH = 16;
const MAX_TEXT_CHARACTERS = 256;
/** A complete number or word of JSON. */
const SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

type Expects = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing';

/** Receives every complete value. Offsets count from the first byte of the document. */
export interface JsonListener {
  /**
   * `path` contains the names of the members that lead to the value, '' for an array element. It is valid only during
   * the call. A string's range is its content between the quotes, with escapes.
   */
  value(path: readonly string[], kind: 'string' | 'scalar' | 'container', start: number, end: number): void;
}

/**
 * Finds the byte ranges of the members of a JSON document, chunk by chunk, and checks that it is complete, without
 * decoding its values. It skips the content of strings with memchr, so a picture in base64 costs almost nothing.
 */
export class JsonScanner {
  readonly #path: string[] = [];
  /** The offsets at which the open containers started. For an array, -1 - offset is stored. */
  readonly #open: number[] = [];
  #expects: Expects = 'value';
  #offset = 0;
  /** The offset of the current string's content; -1 = none. */
  #stringAt = -1;
  /** The offset of the current scalar; -1 = none. */
  #scalarAt = -1;
  /** The text of the current key or scalar so far. */
  #text = '';
  #isKey = false;
  /** Whether an odd number of backslashes precedes the next byte of a string. */
  #escaped = false;

  constructor(private readonly listener: JsonListener) {}

  /** Whether the document is complete. */
  get isWhole(): boolean {
    return this.#expects === 'nothing' && this.#scalarAt < 0;
  }

  /** Returns false if the bytes received so far cannot be the start of a JSON object, or are nested too deeply. */
  push(chunk: Buffer): boolean {
    let at = 0;
    while (at < chunk.length) {
      if (this.#stringAt >= 0) at = this.#throughString(chunk, at);
      else if (this.#scalarAt >= 0) at = this.#throughScalar(chunk, at);
      else if (isSpace(chunk[at]!)) at++;
      else {
        if (!this.#token(chunk[at]!, this.#offset + at)) return false;
        if (this.#scalarAt < 0) at++;
      }
      if (at < 0) return false;
    }
    this.#offset += chunk.length;
    return true;
  }

  #throughString(chunk: Buffer, from: number): number {
    let at = from;
    for (;;) {
      const quote = chunk.indexOf(QUOTE, at);
      const stop = quote < 0 ? chunk.length : quote;
      let slashes = 0;
      while (stop - 1 - slashes >= at && chunk[stop - 1 - slashes] === BACKSLASH) slashes++;
      const reachesBack = slashes === stop - at && this.#escaped ? 1 : 0;
      this.#escaped = (slashes + reachesBack) % 2 === 1;
      if (this.#isKey && this.#text.length < MAX_TEXT_CHARACTERS)
        this.#text += chunk.toString('latin1', at, Math.min(stop, at + MAX_TEXT_CHARACTERS));
      if (quote < 0) return chunk.length;
      at = quote + 1;
      if (!this.#escaped) break;
      this.#escaped = false;
      if (this.#isKey) this.#text += '"';
    }
    const start = this.#stringAt;
    this.#stringAt = -1;
    if (this.#isKey) {
      this.#path[this.#path.length - 1] = this.#text;
      this.#expects = 'colon';
    } else this.#done('string', start, this.#offset + at - 1);
    return at;
  }

  #throughScalar(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length && isScalar(chunk[at]!)) at++;
    if (this.#text.length < MAX_TEXT_CHARACTERS) this.#text += chunk.toString('latin1', from, at);
    if (at === chunk.length) return at;
    if (!SCALAR.test(this.#text)) return -1;
    const start = this.#scalarAt;
    this.#scalarAt = -1;
    this.#done('scalar', start, this.#offset + at);
    return at;
  }

  /** Handles one byte outside strings and scalars. Returns false if JSON does not allow the byte there. */
  #token(byte: number, at: number): boolean {
    const expects = this.#expects;
    switch (byte) {
      case 0x7b: // {
      case 0x5b: // [
        if (expects !== 'value' && expects !== 'value-or-end') return false;
        if (this.#open.length >= MAX_DEPTH || (this.#open.length === 0 && byte === 0x5b)) return false;
        this.#open.push(byte === 0x7b ? at : -1 - at);
        this.#path.push('');
        this.#expects = byte === 0x7b ? 'key-or-end' : 'value-or-end';
        return true;
      case 0x7d: // }
      case 0x5d: // ]
        return this.#close(byte === 0x7d, at);
      case 0x2c: // ,
        if (expects !== 'comma-or-end') return false;
        this.#expects = this.#open.at(-1)! >= 0 ? 'key' : 'value';
        return true;
      case 0x3a: // :
        if (expects !== 'colon') return false;
        this.#expects = 'value';
        return true;
      case QUOTE:
        if (expects === 'colon' || expects === 'comma-or-end' || expects === 'nothing' || this.#open.length === 0)
          return false;
        this.#isKey = expects === 'key' || expects === 'key-or-end';
        this.#text = '';
        this.#escaped = false;
        this.#stringAt = at + 1;
        return true;
      default:
        if ((expects !== 'value' && expects !== 'value-or-end') || !isScalar(byte) || this.#open.length === 0)
          return false;
        this.#text = '';
        this.#scalarAt = at;
        return true;
    }
  }

  #close(isObject: boolean, at: number): boolean {
    const open = this.#open.at(-1);
    const expects = this.#expects;
    if (open === undefined || open >= 0 !== isObject) return false;
    if (expects !== 'comma-or-end' && expects !== (isObject ? 'key-or-end' : 'value-or-end')) return false;
    this.#open.pop();
    this.#path.pop();
    this.#done('container', open >= 0 ? open : -1 - open, at + 1);
    return true;
  }

  #done(kind: 'string' | 'scalar' | 'container', start: number, end: number): void {
    this.#expects = this.#open.length === 0 ? 'nothing' : 'comma-or-end';
    this.listener.value(this.#path, kind, start, end);
  }
}

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
/** Lower-case letters, `E`, digits, and the signs of numbers. */
const isScalar = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  byte === 0x2d ||
  byte === 0x2b ||
  byte === 0x2e ||
  byte === 0x45;
