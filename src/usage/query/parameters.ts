/** Collects values and hands out their places ($1, $2, …): no text is ever part of a statement's. */
export class Parameters {
  readonly values: unknown[] = [];

  /** `writesNumbers`: whole numbers are written into the statement, for a store that plans better knowing them. */
  constructor(private readonly writesNumbers: boolean) {}

  add(value: unknown): string {
    if (this.writesNumbers && (typeof value === 'bigint' || Number.isSafeInteger(value))) return String(value);
    return `$${this.values.push(value)}`;
  }
}
