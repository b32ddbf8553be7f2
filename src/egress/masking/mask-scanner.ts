import { BREAK, BREAK_START, eachByte, EscapeReader, escapeStarts, NO_START } from './escapes.js';
import { START, type FormAutomaton } from './form-automaton.js';
import { Reading, type Range } from './reading.js';

/** A partial match with at least this many bytes is probably not by chance. */
const MIN_LIKELY_BYTES = 6;
const MAX_READINGS = 256;
/** Maximum average work per byte. A source that needs more is treated as an attack after MAX_SPARE_WORK is spent. */
const MAX_WORK_PER_BYTE = 128;
const MAX_SPARE_WORK = 262_144;

/** The source cannot be searched in reasonable time, and must not be forwarded. */
export class TooMuchWork extends Error {
  override name = 'TooMuchWork';
}

/**
 * Finds the forms of secrets in a source that arrives in pieces. Without escapes there is one reading of the source,
 * and one step of the automaton per byte. Each escape adds another reading, which is kept as long as it may find a
 * form.
 *
 * Positions are counted from the start of the source.
 */
export class MaskScanner {
  readonly #starts: Uint8Array;
  readonly #escapes = new EscapeReader();
  #place = 0;
  /** The state of the literal reading while it is the only one. */
  #state = START;
  /**
   * All readings; the first is the literal reading. Empty while the literal reading is the only one and has no tails
   * (`Tail`: a partial match of a long form).
   */
  #readings: Reading[] = [];
  /**
   * The remaining budget of work. It grows with each byte up to a limit, so that a long simple part of the source does
   * not allow a long expensive part.
   */
  #spareWork = MAX_SPARE_WORK;
  /** The position up to which bytes were added to `#spareWork`. */
  #paidTo = 0;

  constructor(
    private readonly automaton: FormAutomaton,
    private readonly found: (range: Range) => void,
  ) {
    this.#starts = escapeStarts(automaton.hasSpace);
  }

  /** All forms that start before this position were found, so the bytes before it may be forwarded. */
  get settled(): number {
    // Ignores unlikely readings after a line break. Otherwise a line that ends with the first byte of a form would be
    // held back until the next line.
    return this.#settledBy((reading) => !reading.isAfterBreak || reading.isLikely(MIN_LIKELY_BYTES), 1);
  }

  /** Like `settled`, but ignores partial matches of only a few bytes. */
  get likelySettled(): number {
    return this.#settledBy((reading) => reading.isLikely(MIN_LIKELY_BYTES), MIN_LIKELY_BYTES);
  }

  /** Reads `data`, whose first byte has the position `base`, up to `end`. `isWhole`: no bytes follow. */
  scan(data: Uint8Array, base: number, end: number, isWhole: boolean): void {
    this.#escapes.open(data, end - base, isWhole);
    while (this.#place < end) {
      const goesOn =
        this.#readings.length === 0
          ? this.#scanSingle(data, base, end)
          : this.#scanAll(data[this.#place - base]!, base);
      if (!goesOn) return;
    }
  }

  #settledBy(counts: (reading: Reading) => boolean, minBytes: number): number {
    if (this.#readings.length > 0)
      return this.#readings.filter(counts).reduce((least, { from }) => Math.min(least, from), this.#place);
    const depth = this.automaton.depthOf(this.#state);
    return depth < minBytes ? this.#place : this.#place - depth;
  }

  /** Scans with a single reading without tails. False if more bytes are needed. */
  #scanSingle(data: Uint8Array, base: number, end: number): boolean {
    const { automaton } = this;
    const starts = this.#starts;
    let [place, state, goesOn] = [this.#place, this.#state, true];
    for (; place < end; place++) {
      const byte = data[place - base]!;
      const start = starts[byte]!;
      if (start !== NO_START && (start !== BREAK_START || state !== START)) {
        const count = this.#escapes.at(place - base);
        goesOn = count !== undefined;
        if (!goesOn || !this.#areIrrelevant(state, count!)) break;
      }
      const next = automaton.step(state, byte);
      if (automaton.isEvent(next)) {
        // Only a Reading can follow a long form.
        if (automaton.tailsAt(next).length > 0) break;
        const length = automaton.longestAt(next, false);
        this.found({ from: place + 1 - length, to: place + 1 });
      }
      state = next;
    }
    [this.#place, this.#state] = [place, state];
    if (goesOn && place < end) this.#readings = [Reading.literal(automaton, place, state)];
    return goesOn;
  }

  /** Whether none of the escapes just read can be part of a form after this state. */
  #areIrrelevant(from: number, count: number): boolean {
    const { automaton } = this;
    for (let index = 0; index < count; index++) {
      const meaning = this.#escapes.meanings[index]!;
      let state = meaning === BREAK ? from : START;
      let isEvent = false;
      if (meaning !== BREAK) {
        state = from;
        eachByte(meaning, (byte) => {
          state = automaton.step(state, byte);
          isEvent ||= automaton.isEvent(state);
        });
      }
      if (state !== START || isEvent) return false;
    }
    return true;
  }

  /** Scans a byte with several readings, or with one that has tails. False if more bytes are needed. */
  #scanAll(byte: number, base: number): boolean {
    const count = this.#starts[byte] === NO_START ? 0 : this.#escapes.at(this.#place - base);
    if (count === undefined) return false;
    const forks: Reading[] = [];
    for (const reading of this.#readings) {
      if (reading.at !== this.#place) continue;
      for (let index = 0; index < count; index++) this.#fork(reading, index, forks);
      this.#spend(reading.weight);
      reading.take(byte, this.found);
    }
    this.#place++;
    if (forks.length > 0) this.#readings.push(...forks);
    this.#prune();
    return true;
  }

  #fork(reading: Reading, index: number, forks: Reading[]): void {
    const meaning = this.#escapes.meanings[index]!;
    if (meaning === BREAK && reading.isIdle) return;
    this.#spend(reading.weight);
    const fork = reading.fork();
    fork.takeEscape(this.#escapes.lengths[index]!, meaning, this.found);
    if (!fork.isIdle) forks.push(fork);
  }

  #spend(work: number): void {
    this.#spareWork =
      Math.min(MAX_SPARE_WORK, this.#spareWork + MAX_WORK_PER_BYTE * (this.#place - this.#paidTo)) - work;
    this.#paidTo = this.#place;
    if (this.#spareWork < 0) throw new TooMuchWork('the source is too expensive to search');
  }

  /** Drops readings whose matches another reading finds too. */
  #prune(): void {
    const literal = this.#readings[0]!;
    if (this.#readings.length > 1) {
      let kept = [literal];
      for (const reading of this.#readings) {
        if (reading === literal || reading.isIdle) continue;
        this.#spend(kept.length);
        if (kept.some((other) => reading.isCoveredBy(other))) continue;
        if (kept.length > 1) kept = kept.filter((other) => other === literal || !other.isCoveredBy(reading));
        kept.push(reading);
      }
      if (kept.length > MAX_READINGS) throw new TooMuchWork('the source can be read in too many ways');
      this.#readings = kept;
    }
    if (this.#readings.length === 1 && !literal.hasTails) {
      this.#state = literal.state;
      this.#readings = [];
    }
  }
}
