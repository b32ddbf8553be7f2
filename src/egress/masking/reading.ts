import { BREAK, eachByte } from './escapes.js';
import { START, type FormAutomaton } from './form-automaton.js';
import { Tail } from './tail.js';

/** A range of absolute positions in the source. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * One reading of the source up to a position, in which each escape was read either literally or decoded. Keeps the
 * positions only of bytes that may belong to a form.
 */
export class Reading {
  /** Position of the next byte of the source. */
  at: number;
  #state = START;
  /** Positions in the source of the bytes that led to the state. */
  #starts: number[] = [];
  #tails: readonly Tail[] = [];
  /** Number of bytes read, after escapes were decoded. */
  #count = 0;
  /** Bytes read since the last skipped line break. Only encoded forms may contain a skipped line break. */
  #sinceBreak = Number.POSITIVE_INFINITY;

  private constructor(
    private readonly automaton: FormAutomaton,
    at: number,
  ) {
    this.at = at;
  }

  /** The literal reading that reached this state at this position. */
  static literal(automaton: FormAutomaton, at: number, state: number): Reading {
    const reading = new Reading(automaton, at);
    const depth = automaton.depthOf(state);
    reading.#state = state;
    reading.#starts = Array.from({ length: depth }, (_, index) => at - depth + index);
    return reading;
  }

  get state(): number {
    return this.#state;
  }

  get hasTails(): boolean {
    return this.#tails.length > 0;
  }

  /** An independent copy. */
  fork(): Reading {
    const other = new Reading(this.automaton, this.at);
    other.#state = this.#state;
    other.#starts = [...this.#starts];
    other.#tails = this.#tails;
    other.#count = this.#count;
    other.#sinceBreak = this.#sinceBreak;
    return other;
  }

  /** Whether none of the read bytes can be the start of a form. */
  get isIdle(): boolean {
    return this.#state === START && this.#tails.length === 0;
  }

  /** The size of the state of this reading, as a measure of the work per byte. */
  get weight(): number {
    return this.#tails.reduce((sum, tail) => sum + 1 + (tail.weight >> 3), 1 + (this.#starts.length >> 3));
  }

  /** Position of the first byte that may belong to a form; the current position if there is none. */
  get from(): number {
    return this.#tails.reduce((least, tail) => Math.min(least, tail.from), this.#starts[0] ?? this.at);
  }

  /** Whether enough bytes of a form were read that the match is probably not by chance. */
  isLikely(minBytes: number): boolean {
    return this.#tails.length > 0 || this.automaton.depthOf(this.#state) >= minBytes;
  }

  /** Whether the last escape was a skipped line break. */
  get isAfterBreak(): boolean {
    return this.#sinceBreak === 0;
  }

  /** Reads a byte literally. Calls `found` for each form that ends with it. */
  take(byte: number, found: (range: Range) => void): void {
    this.at++;
    this.#step(this.at - 1, byte, found);
  }

  /** Reads `length` bytes as an escape with this meaning. */
  takeEscape(length: number, meaning: number, found: (range: Range) => void): void {
    const from = this.at;
    this.at += length;
    if (meaning === BREAK) this.#passBreak();
    else eachByte(meaning, (byte) => this.#step(from, byte, found));
  }

  /** Whether the other reading has the same position in the source and finds every match of this reading. */
  isCoveredBy(other: Reading): boolean {
    if (
      other.at !== this.at ||
      other.#sinceBreak < this.#sinceBreak ||
      !this.automaton.isEndOf(this.#state, other.#state)
    )
      return false;
    const [mine, theirs] = [this.#starts, other.#starts];
    return (
      (mine.length === 0 || mine[0] === theirs[theirs.length - mine.length]) &&
      this.#tails.every((tail) => other.#tails.some((each) => tail.isCoveredBy(each)))
    );
  }

  #passBreak(): void {
    this.#sinceBreak = 0;
    this.#tails = this.#tails.filter(({ form }) => form.isEncoded);
  }

  #step(from: number, byte: number, found: (range: Range) => void): void {
    const { automaton } = this;
    this.#sinceBreak++;
    this.#count++;
    if (this.#tails.length > 0) this.#follow(byte, found);
    this.#state = automaton.step(this.#state, byte);
    const depth = automaton.depthOf(this.#state);
    this.#starts.push(from);
    if (this.#starts.length > depth) this.#starts.splice(0, this.#starts.length - depth);
    if (automaton.isEvent(this.#state)) this.#note(found);
  }

  #follow(byte: number, found: (range: Range) => void): void {
    this.#tails = this.#tails.flatMap((tail) => tail.next(byte, this.#count) ?? []);
    for (const tail of this.#tails) if (tail.isComplete) found({ from: tail.from, to: this.at });
  }

  #note(found: (range: Range) => void): void {
    const longest = this.automaton.longestAt(this.#state, false);
    const length = longest <= this.#sinceBreak ? longest : this.automaton.longestAt(this.#state, true);
    if (length > 0) found({ from: this.#starts[this.#starts.length - length]!, to: this.at });
    for (const form of this.automaton.tailsAt(this.#state)) {
      if (!form.isEncoded && form.prefix.length > this.#sinceBreak) continue;
      const [index, place] = [this.#count - form.prefix.length, this.#starts[0]!];
      const known = this.#tails.findIndex((tail) => tail.form === form);
      if (known < 0) this.#tails = [...this.#tails, Tail.of(form, index, place)];
      else this.#tails = this.#tails.with(known, this.#tails[known]!.withStart(index, place));
    }
  }
}
