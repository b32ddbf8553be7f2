/**
 * Documents nested deeper than this are not accepted as JSON. This limits the memory for the stack of open brackets.
 */
const MAX_DEPTH = 10_000;

const enum At {
  /** Between documents. */
  Top,
  /** Expects a value. */
  Value,
  /** Expects a value or `]`. */
  ValueOrEnd,
  /** Expects a member's name or `}`. */
  NameOrEnd,
  Name,
  Colon,
  /** Expects `,` or the closing bracket. */
  Separator,
  InString,
  InEscape,
  InUnicode,
  InNumber,
  InLiteral,
}

const [QUOTE, BACKSLASH, COMMA, COLON, LF] = [0x22, 0x5c, 0x2c, 0x3a, 0x0a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const ESCAPES = new Set(Buffer.from('"\\/bfnrt'));
const LITERALS: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' };
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
/** A longer number is not accepted, although JSON has no limit. */
const MAX_NUMBER_LENGTH = 1_000;

const isSpace = (byte: number): boolean => byte === 0x20 || byte === LF || byte === 0x0d || byte === 0x09;
const isHex = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
const isNumeric = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e || (byte | 0x20) === 0x65;

/**
 * Validates JSON byte by byte without storing values, so that memory depends on nesting only. Counts the documents.
 * Documents must be objects or arrays; otherwise a text with one number per line would be JSON too.
 */
export class JsonGrammar {
  #at: At = At.Top;
  #broken = false;
  #open: number[] = [];
  #isName = false;
  #text = '';
  #hexLeft = 0;
  #documents = 0;
  /** Whether a line has ended since the last document; true before the first document. */
  #lineEnded = true;
  #oneALine = true;

  get broken(): boolean {
    return this.#broken;
  }

  push(bytes: Uint8Array): void {
    for (let index = 0; index < bytes.length && !this.#broken; index++) {
      if (this.#at === At.InString) index = endOfPlain(bytes, index);
      if (index < bytes.length) this.#take(bytes[index]!);
    }
  }

  /** `document`: one document; `lines`: several documents, one per line; undefined: not JSON. */
  end(): 'document' | 'lines' | undefined {
    if (this.#broken || this.#at !== At.Top || this.#documents === 0) return undefined;
    if (this.#documents === 1) return 'document';
    return this.#oneALine ? 'lines' : undefined;
  }

  #take(byte: number): void {
    if (byte === LF) this.#endLine();
    switch (this.#at) {
      case At.InString:
        return this.#inString(byte);
      case At.InEscape:
        return this.#inEscape(byte);
      case At.InUnicode:
        if (!isHex(byte)) return this.#break();
        if (--this.#hexLeft === 0) this.#at = At.InString;
        return;
      case At.InNumber:
        if (isNumeric(byte) && this.#text.length < MAX_NUMBER_LENGTH)
          return void (this.#text += String.fromCharCode(byte));
        if (!NUMBER.test(this.#text)) return this.#break();
        this.#at = At.Separator;
        return this.#between(byte);
      case At.InLiteral:
        return this.#inLiteral(byte);
      default:
        return this.#between(byte);
    }
  }

  /** Handles a byte where white space is allowed. */
  #between(byte: number): void {
    if (isSpace(byte)) return;
    switch (this.#at) {
      case At.Top:
        return byte === OPEN_LIST || byte === OPEN_OBJECT ? this.#beginDocument(byte) : this.#break();
      case At.Value:
        return this.#beginValue(byte);
      case At.ValueOrEnd:
        return byte === CLOSE_LIST ? this.#close(OPEN_LIST) : this.#beginValue(byte);
      case At.NameOrEnd:
        return byte === CLOSE_OBJECT ? this.#close(OPEN_OBJECT) : this.#beginName(byte);
      case At.Name:
        return this.#beginName(byte);
      case At.Colon:
        return byte === COLON ? void (this.#at = At.Value) : this.#break();
      default:
        return this.#separate(byte);
    }
  }

  #beginDocument(byte: number): void {
    if (!this.#lineEnded) this.#oneALine = false;
    this.#lineEnded = false;
    this.#beginValue(byte);
  }

  #beginValue(byte: number): void {
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (this.#open.length === MAX_DEPTH) return this.#break();
      this.#open.push(byte);
      this.#at = byte === OPEN_OBJECT ? At.NameOrEnd : At.ValueOrEnd;
      return;
    }
    this.#text = String.fromCharCode(byte);
    this.#isName = false;
    if (byte === QUOTE) this.#at = At.InString;
    else if (this.#text in LITERALS) this.#at = At.InLiteral;
    else if (isNumeric(byte)) this.#at = At.InNumber;
    else this.#break();
  }

  #beginName(byte: number): void {
    if (byte !== QUOTE) return this.#break();
    this.#isName = true;
    this.#at = At.InString;
  }

  #separate(byte: number): void {
    const open = this.#open.at(-1);
    if (byte === COMMA) this.#at = open === OPEN_OBJECT ? At.Name : At.Value;
    else if (byte === CLOSE_OBJECT) this.#close(OPEN_OBJECT);
    else if (byte === CLOSE_LIST) this.#close(OPEN_LIST);
    else this.#break();
  }

  #close(opened: number): void {
    if (this.#open.pop() !== opened) return this.#break();
    this.#at = this.#open.length > 0 ? At.Separator : At.Top;
    if (this.#at === At.Top) this.#documents++;
  }

  #inString(byte: number): void {
    if (byte === QUOTE) this.#at = this.#isName ? At.Colon : At.Separator;
    else if (byte === BACKSLASH) this.#at = At.InEscape;
    else if (byte < 0x20) this.#break();
  }

  #inEscape(byte: number): void {
    if (byte === 0x75) {
      this.#at = At.InUnicode;
      this.#hexLeft = 4;
    } else if (ESCAPES.has(byte)) this.#at = At.InString;
    else this.#break();
  }

  #inLiteral(byte: number): void {
    this.#text += String.fromCharCode(byte);
    const literal = LITERALS[this.#text[0]!]!;
    if (!literal.startsWith(this.#text)) this.#break();
    else if (literal === this.#text) this.#at = At.Separator;
  }

  #endLine(): void {
    if (this.#at === At.Top) this.#lineEnded = true;
    else this.#oneALine = false;
  }

  #break(): void {
    this.#broken = true;
    this.#open = [];
  }
}

/** The index of the next significant byte in a string: a quote, a backslash or a control character. */
function endOfPlain(bytes: Uint8Array, from: number): number {
  let index = from;
  while (index < bytes.length && bytes[index]! >= 0x20 && bytes[index] !== QUOTE && bytes[index] !== BACKSLASH) index++;
  return index;
}
