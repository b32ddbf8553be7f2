import { inspect } from 'node:util';

const MASK = '[secret]';

/**
 * Holds a plaintext that must not leak by accident: it is printed, serialised and inspected as a mask. Only `reveal()`
 * and `revealCompanions()` return plaintexts, so every use can be found by these names.
 */
export class SecretValue {
  readonly #plaintext: string;
  readonly #companions: readonly string[];

  /** `companions`: secrets that are sent together with this one, for example in further headers. */
  constructor(plaintext: string, companions: readonly string[] = []) {
    this.#plaintext = plaintext;
    this.#companions = companions;
  }

  reveal(): string {
    return this.#plaintext;
  }

  revealCompanions(): readonly string[] {
    return this.#companions;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}
