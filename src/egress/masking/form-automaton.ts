import type { SecretForm } from './secret-forms.js';

const BYTES = 256;
const STATES_PER_TURN = 2_048;

/** The state in which no byte of any form was read. */
export const START = 0;

/**
 * An Aho-Corasick automaton over the prefixes of all forms. It finds the partial matches after each byte in constant
 * time on average, independent of the number of forms. A state is a number that represents the longest suffix of the
 * bytes read that is a prefix of a form.
 *
 * States are numbered level by level, so that the children of a state are adjacent. Nearly every byte is read in a
 * state of the first two levels, so each of these states has a row with an entry per byte. The other states have few
 * children, which are searched one by one.
 */
export class FormAutomaton {
  readonly #rows: Int32Array;
  readonly #rowCount: number;
  readonly #firstChild: Int32Array;
  readonly #byte: Uint8Array;
  readonly #failure: Int32Array;
  readonly #depth: Uint8Array;
  readonly #longest: Uint8Array;
  readonly #longestEncoded: Uint8Array;
  readonly #isEvent: Uint8Array;
  readonly #tails = new Map<number, readonly SecretForm[]>();
  /** Whether a space occurs in a form that is not encoded. If not, a `+` is never read as a space. */
  readonly hasSpace: boolean;

  private constructor(forms: readonly SecretForm[]) {
    const capacity = 1 + forms.reduce((sum, { prefix }) => sum + prefix.length, 0);
    this.#firstChild = new Int32Array(capacity + 1);
    this.#byte = new Uint8Array(capacity);
    this.#failure = new Int32Array(capacity);
    this.#depth = new Uint8Array(capacity);
    this.#longest = new Uint8Array(capacity);
    this.#longestEncoded = new Uint8Array(capacity);
    this.#isEvent = new Uint8Array(capacity);
    this.#rowCount = 1 + new Set(forms.map(({ prefix }) => prefix[0])).size;
    this.#rows = new Int32Array(this.#rowCount * BYTES);
    this.hasSpace = forms.some((form) => !form.isEncoded && form.whole.includes(0x20));
  }

  /** Builds an automaton in steps. */
  static *building(unsorted: readonly SecretForm[]): Generator<void, FormAutomaton, void> {
    const groups: SecretForm[][] = Array.from({ length: BYTES }, () => []);
    for (const form of unsorted) groups[form.prefix[0]!]!.push(form);
    const forms: SecretForm[] = [];
    for (const group of groups) {
      for (const form of group.sort((a, b) => Buffer.compare(a.prefix, b.prefix))) forms.push(form);
      if (group.length > 0) yield;
    }
    const automaton = new FormAutomaton(forms);
    yield* automaton.#build(forms);
    return automaton;
  }

  get isEmpty(): boolean {
    return this.#rowCount === 1;
  }

  step(from: number, byte: number): number {
    let state = from;
    while (state >= this.#rowCount) {
      const end = this.#firstChild[state + 1]!;
      for (let child = this.#firstChild[state]!; child < end; child++) if (this.#byte[child] === byte) return child;
      state = this.#failure[state]!;
    }
    return this.#rows[state * BYTES + byte]!;
  }

  /** The number of bytes of a form that lead to this state. */
  depthOf(state: number): number {
    return this.#depth[state]!;
  }

  /** Whether a form, or the prefix of a longer form, ends in this state. */
  isEvent(state: number): boolean {
    return this.#isEvent[state] === 1;
  }

  /** The length of the longest form that ends in this state; 0 if none does. */
  longestAt(state: number, encodedOnly: boolean): number {
    return encodedOnly ? this.#longestEncoded[state]! : this.#longest[state]!;
  }

  /** The forms that are longer than their prefix and whose prefix ends in this state. */
  tailsAt(state: number): readonly SecretForm[] {
    return this.#tails.get(state) ?? [];
  }

  /** Whether the text of the state `shorter` is a suffix of the text of the state `longer`. */
  isEndOf(shorter: number, longer: number): boolean {
    let state = longer;
    while (this.#depth[state]! > this.#depth[shorter]!) state = this.#failure[state]!;
    return state === shorter;
  }

  *#build(forms: readonly SecretForm[]): Generator<void, void, void> {
    /** For each state, the range of the sorted forms that start with the text of the state. */
    const ranges: (readonly [from: number, to: number])[] = [[0, forms.length]];
    for (let state = 0; state < ranges.length; state++) {
      if (state % STATES_PER_TURN === 0) yield;
      const [from, to] = ranges[state]!;
      const depth = this.#depth[state]!;
      this.#firstChild[state] = ranges.length;
      let at = this.#endAt(state, forms, from, to);
      while (at < to) {
        const byte = forms[at]!.prefix[depth]!;
        const started = at;
        while (at < to && forms[at]!.prefix[depth] === byte) at++;
        this.#addChild(state, byte, ranges.length);
        ranges.push([started, at]);
      }
      // The children of the next state start here. The last state has none.
      this.#firstChild[state + 1] = ranges.length;
      if (state < this.#rowCount) this.#fillRow(state);
    }
  }

  /** Records the forms that end in a state. They are the first in its range. Returns the index after them. */
  #endAt(state: number, forms: readonly SecretForm[], from: number, to: number): number {
    const depth = this.#depth[state]!;
    const failure = this.#failure[state]!;
    let [longest, longestEncoded, at] = [this.#longest[failure]!, this.#longestEncoded[failure]!, from];
    for (; at < to && forms[at]!.prefix.length === depth; at++) {
      const form = forms[at]!;
      if (form.length > depth) this.#tails.set(state, [...(this.#tails.get(state) ?? []), form]);
      else {
        longest = depth;
        if (form.isEncoded) longestEncoded = depth;
      }
    }
    this.#longest[state] = longest;
    this.#longestEncoded[state] = longestEncoded;
    this.#isEvent[state] = longest > 0 || this.#tails.has(state) ? 1 : 0;
    return at;
  }

  #addChild(parent: number, byte: number, child: number): void {
    this.#byte[child] = byte;
    this.#depth[child] = this.#depth[parent]! + 1;
    // The failure state of the parent has a shorter text, so its children already exist.
    this.#failure[child] = parent === START ? START : this.step(this.#failure[parent]!, byte);
  }

  #fillRow(state: number): void {
    const row = state * BYTES;
    if (state !== START) this.#rows.copyWithin(row, 0, BYTES);
    for (let child = this.#firstChild[state]!; child < this.#firstChild[state + 1]!; child++)
      this.#rows[row + this.#byte[child]!] = child;
  }
}
