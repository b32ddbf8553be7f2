import type { BodyFacts } from './body-facts.js';
import { isWide, JsonPieces, type Built, type Frame } from './json-frames.js';
import {
  MAX_DEPTH,
  MAX_NUMBER_CHARACTERS,
  MAX_OBJECTS,
  MAX_VALUES,
  notAnObject,
  notJson,
  numberTooLong,
  tooDeep,
  tooManyObjects,
  tooManyValues,
} from './json-limits.js';
import { endOfString } from '../../../kernel/text/json-strings.js';

/** The work of one step. */
interface StepSize {
  /** Bytes to scan. */
  readonly bytes: number;
  /** Values to pass to JSON.parse at once. JSON.parse takes about 1 µs per value for objects of different shapes. */
  readonly values: number;
}

const STEP: StepSize = { bytes: 65_536, values: 4_096 };

const enum Expects {
  Value,
  ValueOrEnd,
  Name,
  NameOrEnd,
  Colon,
  CommaOrEnd,
  Nothing,
}

/**
 * Parses a large JSON object in steps of limited time. Scans the bytes, counts values and depth, and builds containers
 * with many values from pieces. If the body has few values, builds nothing, and the caller must use JSON.parse. The
 * bytes must be valid UTF-8.
 */
export class LargeJson {
  #at: number;
  #expects = Expects.Value;
  #values = 0;
  #objects = 0;
  #root: Frame | undefined;
  /** Range of the latest name. */
  #nameAt = 0;
  #nameEnd = 0;
  readonly #frames: Frame[] = [];
  readonly #wideMembers = new Set<string>();
  readonly #pieces: JsonPieces;

  constructor(
    private readonly bytes: Buffer,
    from: number,
    mayHoldProto: boolean,
    private readonly size: StepSize = STEP,
  ) {
    this.#at = from;
    this.#pieces = new JsonPieces(bytes, mayHoldProto);
  }

  /**
   * Runs one step. Returns true when all bytes are read. Throws invalid_request if the text is not a JSON object or
   * exceeds a limit.
   */
  advance(): boolean {
    const { bytes } = this;
    const stop = Math.min(bytes.length, this.#at + this.size.bytes);
    let at = this.#at;
    let parsed = false;
    while (at < stop && !parsed) {
      const byte = bytes[at]!;
      switch (byte) {
        case 0x20:
        case 0x0a:
        case 0x0d:
        case 0x09:
          at++;
          break;
        case 0x22: // "
          at = this.#string(at);
          break;
        case 0x7b: // {
        case 0x5b: // [
          this.#open(byte === 0x5b, at++);
          break;
        case 0x7d: // }
        case 0x5d: // ]
          parsed = this.#close(byte === 0x5d, at++);
          break;
        case 0x2c: // ,
          parsed = this.#comma(at++);
          break;
        case 0x3a: // :
          this.#colon(at++);
          break;
        default:
          at = this.#scalar(at);
      }
    }
    this.#at = at;
    if (at < bytes.length) return false;
    if (this.#expects !== Expects.Nothing) throw endsEarly();
    return true;
  }

  /** The built object; undefined if the text has few values and must be parsed as a whole. */
  get built(): Built | undefined {
    return this.#root?.built;
  }

  get facts(): BodyFacts {
    return {
      hadProto: this.#pieces.hadProto,
      names: this.#root && isWide(this.#root) ? this.#pieces.names : undefined,
      wideMembers: this.#wideMembers.size > 0 ? this.#wideMembers : undefined,
    };
  }

  #beginValue(at: number): void {
    if (this.#expects !== Expects.Value && this.#expects !== Expects.ValueOrEnd) throw unexpected(at);
    if (this.#frames.length === 0) throw notAnObject();
    if (++this.#values > MAX_VALUES) throw tooManyValues();
    this.#expects = Expects.CommaOrEnd;
  }

  #scalar(at: number): number {
    this.#beginValue(at);
    const end = endOfScalar(this.bytes, at, Math.min(this.bytes.length, at + MAX_NUMBER_CHARACTERS + 1));
    if (end === at) throw unexpected(at);
    if (end - at > MAX_NUMBER_CHARACTERS) throw numberTooLong(at);
    return end;
  }

  #string(at: number): number {
    const end = endOfString(this.bytes, at + 1);
    if (end < 0) throw endsEarly();
    if (this.#expects !== Expects.Name && this.#expects !== Expects.NameOrEnd) {
      this.#beginValue(at);
      return end;
    }
    this.#nameAt = at;
    this.#nameEnd = end;
    this.#expects = Expects.Colon;
    this.#frames.at(-1)!.members++;
    return end;
  }

  #colon(at: number): void {
    if (this.#expects !== Expects.Colon) throw unexpected(at);
    this.#expects = Expects.Value;
  }

  #open(isArray: boolean, at: number): void {
    const parent = this.#frames.at(-1);
    if (parent) this.#beginValue(at);
    else if (this.#expects !== Expects.Value) throw unexpected(at);
    else if (isArray) throw notAnObject();
    else this.#values++;
    if (this.#frames.length === MAX_DEPTH) throw tooDeep();
    if (!isArray && ++this.#objects > MAX_OBJECTS) throw tooManyObjects();
    const isNamed = parent !== undefined && !parent.isArray;
    this.#frames.push({
      isArray,
      isRoot: parent === undefined,
      nameAt: isNamed ? this.#nameAt : 0,
      nameEnd: isNamed ? this.#nameEnd : 0,
      runAt: at + 1,
      runValues: this.#values,
      comma: -1,
      members: 0,
      built: undefined,
    });
    this.#expects = isArray ? Expects.ValueOrEnd : Expects.NameOrEnd;
  }

  /** True if a piece was parsed. */
  #comma(at: number): boolean {
    const frame = this.#frames.at(-1);
    if (!frame || this.#expects !== Expects.CommaOrEnd) throw unexpected(at);
    this.#expects = frame.isArray ? Expects.Value : Expects.Name;
    const isFull = this.#values - frame.runValues >= this.size.values;
    if (frame.runAt >= 0 && !isFull) {
      frame.comma = at;
      return false;
    }
    if (frame.runAt >= 0) this.#pieces.take(frame, frame.runAt, at);
    frame.runAt = at + 1;
    frame.runValues = this.#values;
    frame.comma = -1;
    return isFull;
  }

  /** True if a piece was parsed. */
  #close(isArray: boolean, at: number): boolean {
    const frame = this.#frames.at(-1);
    const mayEnd =
      this.#expects === Expects.CommaOrEnd || this.#expects === (isArray ? Expects.ValueOrEnd : Expects.NameOrEnd);
    if (!frame || frame.isArray !== isArray || !mayEnd) throw unexpected(at);
    if (isWide(frame)) this.#noteWide(frame);
    this.#frames.pop();
    const parent = this.#frames.at(-1);
    this.#expects = parent ? Expects.CommaOrEnd : Expects.Nothing;
    if (!parent) this.#root = frame;
    if (!frame.built && this.#values - frame.runValues < this.size.values) return false;
    if (frame.runAt >= 0) this.#pieces.take(frame, frame.runAt, at);
    if (parent) this.#pieces.adopt(parent, frame);
    return true;
  }

  #noteWide(frame: Frame): void {
    const ofRoot = this.#frames[1];
    if (!frame.isRoot && ofRoot) this.#wideMembers.add(this.#pieces.textAt(ofRoot.nameAt, ofRoot.nameEnd));
  }
}

const unexpected = (at: number): Error => notJson(`unexpected text at position ${at}`);
const endsEarly = (): Error => notJson('it ends too early');

/**
 * Index after the number or word that starts at `from`, at most `to`. JSON.parse checks later whether the number or
 * word is valid.
 */
function endOfScalar(bytes: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to && isScalar(bytes[at]!)) at++;
  return at;
}

/** Letters, digits, and the signs of numbers. */
const isScalar = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  byte === 0x2d ||
  byte === 0x2b ||
  byte === 0x2e;
