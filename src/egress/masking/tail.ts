import type { SecretForm } from './secret-forms.js';
import { Starts } from './starts.js';

/**
 * A partial match of a form that is longer than the automaton's prefixes. It is compared byte by byte. After a mismatch
 * it continues from the longest prefix of the form that is a suffix of the read bytes (Knuth, Morris and Pratt).
 */
export class Tail {
  private constructor(
    readonly form: SecretForm,
    readonly matched: number,
    private readonly starts: Starts,
  ) {}

  /**
   * The tail of a form whose prefix the automaton has found. `index`: number of bytes read before the prefix. `place`:
   * position of the prefix in the source.
   */
  static of(form: SecretForm, index: number, place: number): Tail {
    return new Tail(form, form.prefix.length, Starts.at(index, place));
  }

  get from(): number {
    return this.starts.first;
  }

  get weight(): number {
    return this.starts.weight;
  }

  get isComplete(): boolean {
    return this.matched === this.form.length;
  }

  /**
   * Whether the other tail, after the same byte, finds every match of this tail. This is true if the other tail matches
   * at least as many bytes and starts no later, because after a mismatch it continues with the length that this tail
   * has matched.
   */
  isCoveredBy(other: Tail): boolean {
    return other.form === this.form && other.matched >= this.matched && other.from <= this.from;
  }

  /**
   * The tail with a further start. Call this when the prefix is found again within the bytes that this tail has
   * matched.
   */
  withStart(index: number, place: number): Tail {
    return new Tail(this.form, this.matched, this.starts.and(index, place));
  }

  /**
   * The tail after one more byte; undefined if the match is now shorter than the prefix. `count`: number of bytes read,
   * including this one.
   */
  next(byte: number, count: number): Tail | undefined {
    const { whole, fallbacks, prefix } = this.form;
    let matched = this.isComplete ? fallbacks[this.matched]! : this.matched;
    while (matched >= 0 && whole[matched] !== byte) matched = fallbacks[matched]!;
    matched++;
    if (matched < prefix.length) return undefined;
    return new Tail(this.form, matched, this.starts.from(count - matched));
  }
}
