import { HTML_NAMES, MAX_HTML_NAME_BYTES } from './html-names.js';

/** The maximum number of escapes at one position. */
const MAX_ESCAPES = 12;
/** The meaning of a line break within encoded text. Such a line break is skipped. */
export const BREAK = -1;
/** The meaning of a raw byte. A byte from 0x80 is negated, to distinguish it from a code point. */
const rawByte = (byte: number): number => (byte < 0x80 ? byte : -byte);

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const PLUS = 0x2b;
const SPACE = 0x20;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
/** A quote in JSON that is nested three times has seven backslashes. */
const MAX_BACKSLASHES = 8;
const MAX_DIGITS = 8;
const NONE = -1;
/** The meaning of each character after a backslash, by character code. */
const AFTER_BACKSLASH = new Int16Array(256).fill(NONE);
for (const [at, letter] of [...'"\\/\'bfnrt'].entries())
  AFTER_BACKSLASH[letter.charCodeAt(0)] = '"\\/\'\b\f\n\r\t'.charCodeAt(at);
const DIGITS = new Int16Array(256).fill(NONE);
for (const [at, digit] of [...'0123456789abcdef'].entries())
  DIGITS[digit.charCodeAt(0)] = DIGITS[digit.toUpperCase().charCodeAt(0)] = at;

/** For each character code, whether it is a letter or a digit. */
const IN_NAME = Array.from({ length: 128 }, (_, byte) => /[A-Za-z0-9]/.test(String.fromCharCode(byte)));

/** The byte cannot start an escape. */
export const NO_START = 0;
const ESCAPE_START = 1;
/** A line break, which is an escape only within an encoded form. */
export const BREAK_START = 2;

/** For each byte: NO_START, ESCAPE_START or BREAK_START. `hasSpace`: a `+` may be read as a space. */
export function escapeStarts(hasSpace: boolean): Uint8Array {
  const starts = new Uint8Array(256);
  for (const byte of [BACKSLASH, PERCENT, AMPERSAND, ...(hasSpace ? [PLUS] : [])]) starts[byte] = ESCAPE_START;
  for (const byte of [CARRIAGE_RETURN, LINE_FEED]) starts[byte] = BREAK_START;
  return starts;
}

/** Calls `take` with each byte of an escape's meaning; code points are encoded in UTF-8. */
export function eachByte(meaning: number, take: (byte: number) => void): void {
  if (meaning === BREAK) return;
  if (meaning < 0x80) {
    take(Math.abs(meaning));
    return;
  }
  const length = meaning < 0x800 ? 2 : meaning < 0x10000 ? 3 : 4;
  take(((0xff00 >> length) & 0xff) | (meaning >> (6 * (length - 1))));
  for (let shift = 6 * (length - 2); shift >= 0; shift -= 6) take(0x80 | ((meaning >> shift) & 0x3f));
}

/**
 * Reads the escapes that start at a position. The same bytes may have several readings. Each call overwrites the
 * previous results in `lengths` and `meanings`, so that no memory is allocated per escape.
 */
export class EscapeReader {
  /** The length of each escape, in bytes of the source. */
  readonly lengths = new Int32Array(MAX_ESCAPES);
  /** The meaning of each escape: a code point, a raw byte (negative), or BREAK. */
  readonly meanings = new Int32Array(MAX_ESCAPES);
  #count = 0;
  #data: Uint8Array = new Uint8Array();
  #end = 0;
  #isWhole = false;
  #ranOut = false;

  /** `end`: the number of bytes available. `isWhole`: no bytes follow. */
  open(data: Uint8Array, end: number, isWhole: boolean): void {
    this.#data = data;
    this.#end = end;
    this.#isWhole = isWhole;
  }

  /** The number of escapes that start at a position; undefined if more bytes are needed. */
  at(place: number): number | undefined {
    this.#ranOut = false;
    this.#count = 0;
    switch (this.#data[place]) {
      case BACKSLASH:
        this.#backslashed(place);
        break;
      case PERCENT:
        this.#percented(place);
        break;
      case AMPERSAND:
        this.#entity(place, 1);
        if (this.#hasText(place + 1, 'amp;')) this.#entity(place, 5);
        break;
      case PLUS:
        this.#add(1, SPACE);
        break;
      default:
        this.#add(1, BREAK);
    }
    return this.#ranOut && !this.#isWhole ? undefined : this.#count;
  }

  #add(length: number, meaning: number): void {
    this.lengths[this.#count] = length;
    this.meanings[this.#count++] = meaning;
    if (meaning === LINE_FEED || meaning === CARRIAGE_RETURN) this.#add(length, BREAK);
  }

  /**
   * Reads escapes of JSON and JavaScript, such as `\/`, `\n`, `\xe9`, `\u00e9` and `\ud83d\ude00`, also if they are
   * escaped again.
   */
  #backslashed(place: number): void {
    this.#afterBackslashes(place, 1);
    if (this.#byte(place + 1) !== BACKSLASH) return;
    let run = 2;
    while (run < MAX_BACKSLASHES && this.#byte(place + run) === BACKSLASH) run++;
    if (run > 2) this.#afterBackslashes(place, run >> 1);
    this.#afterBackslashes(place, run);
  }

  /** Reads an escape whose backslash is written as `count` backslashes. */
  #afterBackslashes(place: number, count: number): void {
    const letter = this.#byte(place + count);
    if (letter === BACKSLASH) {
      for (let at = place + count; at < place + 2 * count; at++) if (this.#byte(at) !== BACKSLASH) return;
      return this.#add(2 * count, BACKSLASH);
    }
    const meaning = letter < 0 ? NONE : AFTER_BACKSLASH[letter]!;
    if (meaning !== NONE) return this.#add(count + 1, meaning);
    if (letter !== 0x75 && letter !== 0x78) return;
    const digits = letter === 0x75 ? 4 : 2;
    const unit = this.#hex(place + count + 1, digits);
    if (unit === NONE) return;
    const length = count + 1 + digits;
    const low = unit >= 0xd800 && unit < 0xdc00 ? this.#lowSurrogate(place + length, count) : NONE;
    if (low === NONE) this.#add(length, unit);
    else this.#add(2 * length, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
  }

  #lowSurrogate(place: number, count: number): number {
    for (let at = place; at < place + count; at++) if (this.#byte(at) !== BACKSLASH) return NONE;
    const unit = this.#byte(place + count) === 0x75 ? this.#hex(place + count + 1, 4) : NONE;
    return unit >= 0xdc00 && unit < 0xe000 ? unit : NONE;
  }

  /** Reads percent-encoding, such as `%2F`, also if it is encoded again, such as `%252F`. */
  #percented(place: number): void {
    const byte = this.#hex(place + 1, 2);
    if (byte === NONE) return;
    this.#add(3, rawByte(byte));
    const again = byte === PERCENT ? this.#hex(place + 3, 2) : NONE;
    if (again !== NONE) this.#add(5, rawByte(again));
  }

  /**
   * Reads character references of HTML and XML, such as `&lt;`, `&#60;` and `&#x3c;`, with or without the semicolon.
   * `skip`: the number of bytes before the name.
   */
  #entity(place: number, skip: number): void {
    const at = place + skip;
    if (this.#byte(at) !== 0x23) {
      return this.#named(place, at);
    }
    const isHex = (this.#byte(at + 1) | 0x20) === 0x78;
    const first = at + (isHex ? 2 : 1);
    let value = 0;
    let digits = 0;
    for (; digits < MAX_DIGITS; digits++) {
      const digit = this.#digit(first + digits);
      if (digit === NONE || (!isHex && digit > 9)) break;
      value = value * (isHex ? 16 : 10) + digit;
    }
    if (digits > 0 && value <= 0x10ffff) this.#closed(place, first + digits, value);
  }

  /** A name may be the prefix of another name, such as `&comma` and `&commat`. Both are added. */
  #named(place: number, at: number): void {
    let name = '';
    while (name.length < MAX_HTML_NAME_BYTES) {
      const byte = this.#byte(at + name.length);
      if (!IN_NAME[byte]) return;
      name += String.fromCharCode(byte);
      const meaning = HTML_NAMES.get(name);
      if (meaning !== undefined) this.#closed(place, at + name.length, meaning);
    }
  }

  #closed(from: number, to: number, meaning: number): void {
    this.#add(to - from + (this.#byte(to) === 0x3b ? 1 : 0), meaning);
  }

  /** The byte at a position; NONE if there is none. */
  #byte(at: number): number {
    if (at < this.#end) return this.#data[at]!;
    this.#ranOut = true;
    return NONE;
  }

  #hasText(at: number, text: string): boolean {
    for (let offset = 0; offset < text.length; offset++)
      if (this.#byte(at + offset) !== text.charCodeAt(offset)) return false;
    return true;
  }

  #hex(at: number, digits: number): number {
    let value = 0;
    for (let offset = 0; offset < digits; offset++) {
      const digit = this.#digit(at + offset);
      if (digit === NONE) return NONE;
      value = value * 16 + digit;
    }
    return value;
  }

  #digit(at: number): number {
    const byte = this.#byte(at);
    return byte < 0 ? NONE : DIGITS[byte]!;
  }
}
