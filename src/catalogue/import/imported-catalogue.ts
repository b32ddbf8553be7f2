import type { ModelEntry, ProviderEntry } from '../entries/entry.js';

/** The content of an imported file of any format, converted to catalogue entries. */
export interface ImportedCatalogue {
  readonly format: string;
  readonly models: readonly ModelEntry[];
  readonly providers: readonly ProviderEntry[];
  /** The path of a model in the file, from which errors derive its line. */
  readonly pathOf: (id: string) => readonly (string | number)[];
  /** Vendors' offers that match no known model and were ignored, as `vendor: model`. */
  readonly unmatched: readonly string[];
}
