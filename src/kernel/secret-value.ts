import { inspect } from 'node:util';

const MASK = '[secret]';

/**
 * Holds a plaintext that must not leak by accident: it prints, serialises and inspects as a mask.
 * The only way out is `reveal()`, which makes every use easy to find by its name.
 */
export class SecretValue {
  readonly #plaintext: string;

  constructor(plaintext: string) {
    this.#plaintext = plaintext;
  }

  reveal(): string {
    return this.#plaintext;
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
