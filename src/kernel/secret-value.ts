import { inspect } from 'node:util';

const MASK = '[secret]';

/**
 * Holds a plaintext that must not leak by accident: it prints, serialises and inspects as a mask.
 * The only way out is `reveal()`, which makes every use easy to find by its name.
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
