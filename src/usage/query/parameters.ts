/** Collects values and returns their placeholders ($1, $2, …), so that text never becomes part of a statement. */
export class Parameters {
  readonly values: unknown[] = [];

  /** `writesNumbers`: inline whole numbers, for a store that plans better with them. */
  constructor(private readonly writesNumbers: boolean) {}

  add(value: unknown): string {
    if (this.writesNumbers && (typeof value === 'bigint' || Number.isSafeInteger(value))) return String(value);
    return `$${this.values.push(value)}`;
  }
}
