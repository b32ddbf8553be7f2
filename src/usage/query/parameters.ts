/** Collects values and hands out their places ($1, $2, …): no value is ever part of a statement's text. */
export class Parameters {
  readonly values: unknown[] = [];

  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}
