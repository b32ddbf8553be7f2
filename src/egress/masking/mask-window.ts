import type { FormAutomaton } from './form-automaton.js';
import { MaskScanner } from './mask-scanner.js';
import type { Range } from './reading.js';

/**
 * The number of bytes to push at once. Escapes and periodic secrets make the search slow, so the caller may yield to
 * the event loop after each slice.
 */
export const SLICE_BYTES = 2_048;

const ASTERISK = 0x2a;
const EMPTY = Buffer.alloc(0);

/**
 * Masks a stream of bytes. Holds back only bytes that may be the start of a secret, at most as many as the longest form
 * and one escape have. Replaces each byte of a secret by an asterisk, so that lengths do not change.
 */
export class MaskWindow {
  readonly #scanner: MaskScanner;
  /** The held-back bytes. The buffer has spare capacity if this object allocated it (`#isOwn`). */
  #data: Buffer = EMPTY;
  #length = 0;
  #isOwn = false;
  /** Position of the first held-back byte in the source. */
  #base = 0;
  /** The ranges of the secrets that were found, sorted by end. */
  #secrets: Range[] = [];

  constructor(automaton: FormAutomaton) {
    this.#scanner = new MaskScanner(automaton, (range) => this.#note(range));
  }

  /** Number of bytes of the source that were returned. */
  get releasedBytes(): number {
    return this.#base;
  }

  /** Adds a piece of the source, and returns the settled bytes. The memory of the piece must not change afterwards. */
  push(piece: Buffer): Buffer {
    this.#append(piece);
    this.#scan(false);
    return this.#passOnTo(this.#scanner.settled);
  }

  /** Call this when the source pauses. Also returns bytes that match only a few bytes of a secret. */
  pause(): Buffer {
    this.#scan(true);
    return this.#passOnTo(this.#scanner.likelySettled);
  }

  /** Returns the rest of the source, masked. */
  end(): Buffer {
    this.#scan(true);
    return this.#passOnTo(this.#base + this.#length);
  }

  #scan(isWhole: boolean): void {
    this.#scanner.scan(this.#data, this.#base, this.#base + this.#length, isWhole);
  }

  #append(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (this.#length === 0) {
      this.#data = piece;
      this.#isOwn = false;
    } else {
      if (!this.#isOwn || this.#data.length < length) this.#moveTo(Buffer.allocUnsafe(2 * length), 0);
      piece.copy(this.#data, this.#length);
    }
    this.#length = length;
  }

  /**
   * Copies the held-back bytes to `memory`, which has twice the needed size, so that they are not copied for each small
   * piece.
   */
  #moveTo(memory: Buffer, from: number): void {
    this.#data.copy(memory, 0, from, this.#length);
    this.#data = memory;
    this.#isOwn = true;
  }

  #note({ from, to }: Range): void {
    const last = this.#secrets.at(-1);
    if (last !== undefined && from <= last.to)
      this.#secrets[this.#secrets.length - 1] = { from: Math.min(from, last.from), to: Math.max(to, last.to) };
    else this.#secrets.push({ from, to });
  }

  #passOnTo(place: number): Buffer {
    const count = Math.max(place - this.#base, 0);
    if (count === 0 && (this.#isOwn || this.#length === 0)) return EMPTY;
    const passed = this.#masked(this.#data.subarray(0, count), place);
    const rest = this.#length - count;
    if (rest === 0) this.#data = EMPTY;
    else this.#moveTo(Buffer.allocUnsafe(2 * rest), count);
    this.#length = rest;
    this.#base += count;
    return passed;
  }

  /** The bytes up to a position, masked. */
  #masked(bytes: Buffer, place: number): Buffer {
    const inside = this.#secrets.filter(({ from }) => from < place);
    if (inside.length === 0) return bytes;
    const masked = Buffer.from(bytes);
    for (const { from, to } of inside)
      masked.fill(ASTERISK, Math.max(from - this.#base, 0), Math.min(to, place) - this.#base);
    this.#secrets = this.#secrets.filter(({ to }) => to > place);
    return masked;
  }
}
