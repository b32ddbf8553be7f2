import type { ModelEntry, ProviderEntry } from '../entries/entry.js';

/** What a file says, in the catalogue's own form, whatever its format was. */
export interface ImportedCatalogue {
  readonly format: string;
  readonly models: readonly ModelEntry[];
  readonly providers: readonly ProviderEntry[];
  /** Where a model stands in the file, to name its line. */
  readonly pathOf: (id: string) => readonly (string | number)[];
  /** Vendors' offers that fit no known model and were left aside, `vendor: model`. */
  readonly unmatched: readonly string[];
}

/** The members that are there. */
export function present<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}
