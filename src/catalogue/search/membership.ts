/** A table of models and names, with one byte per pair. Tens of thousands of models are tested in microseconds. */
export class Membership {
  readonly #columns = new Map<string, Uint8Array>();
  readonly #none: Uint8Array;

  constructor(lists: readonly Iterable<string>[]) {
    this.#none = new Uint8Array(lists.length);
    for (const [at, names] of lists.entries()) {
      for (const name of names) {
        let column = this.#columns.get(name);
        if (!column) this.#columns.set(name, (column = new Uint8Array(lists.length)));
        column[at] = 1;
      }
    }
  }

  /** Returns a column with 1 at the index of every model that has the name. */
  of(name: string): Uint8Array {
    return this.#columns.get(name) ?? this.#none;
  }
}
