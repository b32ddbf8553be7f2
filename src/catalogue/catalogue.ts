import { Injectable } from '@nestjs/common';
import type { CatalogueModel, CatalogueProvider } from './catalogue-model.js';
import { CatalogueSnapshot } from './catalogue-snapshot.js';
import { shippedData } from './data/shipped.js';
import { composeCatalogue } from './entries/compose-catalogue.js';

/** The current catalogue, as one immutable snapshot at a time. Read the snapshot once to see one consistent state. */
@Injectable()
export class Catalogue {
  #snapshot: CatalogueSnapshot | undefined;
  readonly #listeners: (() => void)[] = [];

  /** The current state: the shipped catalogue until CatalogueLoader has loaded the operator's imports. */
  get snapshot(): CatalogueSnapshot {
    return (this.#snapshot ??= shippedSnapshot());
  }

  /** `id`: `author/slug`. */
  find(id: string): CatalogueModel | undefined {
    return this.snapshot.find(id);
  }

  /** Sorted by date, newest first, then by id. */
  all(): readonly CatalogueModel[] {
    return this.snapshot.models;
  }

  provider(slug: string): CatalogueProvider | undefined {
    return this.snapshot.provider(slug);
  }

  /** The name of the provider in responses. Returns the slug of a provider that was removed from the catalogue. */
  providerName(slug: string): string {
    return this.provider(slug)?.name ?? slug;
  }

  /** Sorted by slug. */
  providers(): readonly CatalogueProvider[] {
    return this.snapshot.providers;
  }

  /** Replaces the current state atomically. */
  swap(snapshot: CatalogueSnapshot): void {
    this.#snapshot = snapshot;
    for (const listener of this.#listeners) listener();
  }

  /** Registers a listener that is called after every swap. */
  onSwap(listener: () => void): void {
    this.#listeners.push(listener);
  }
}

let shipped: CatalogueSnapshot | undefined;

function shippedSnapshot(): CatalogueSnapshot {
  const { layers, rules, benchmarks } = shippedData();
  return (shipped ??= new CatalogueSnapshot({ ...composeCatalogue(layers, rules), benchmarks }));
}
