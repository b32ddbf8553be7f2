import { Injectable } from '@nestjs/common';
import type { CatalogueModel, CatalogueProvider } from './catalogue-model.js';
import { CatalogueSnapshot } from './catalogue-snapshot.js';
import { shippedData } from './data/shipped.js';
import { composeCatalogue } from './entries/compose-catalogue.js';

/** The models this service knows. It holds one immutable snapshot at a time: who takes it sees one state of the catalogue whole. */
@Injectable()
export class Catalogue {
  #snapshot: CatalogueSnapshot | undefined;
  readonly #listeners: (() => void)[] = [];

  /** The present state: the shipped catalogue until CatalogueLoader has read what the operator imported. */
  get snapshot(): CatalogueSnapshot {
    return (this.#snapshot ??= shippedSnapshot());
  }

  /** By `author/slug`. */
  find(id: string): CatalogueModel | undefined {
    return this.snapshot.find(id);
  }

  /** Newest first, then by id. */
  all(): readonly CatalogueModel[] {
    return this.snapshot.models;
  }

  provider(slug: string): CatalogueProvider | undefined {
    return this.snapshot.provider(slug);
  }

  /** By slug. */
  providers(): readonly CatalogueProvider[] {
    return this.snapshot.providers;
  }

  /** Puts a new state in the place of the present one, at once. */
  swap(snapshot: CatalogueSnapshot): void {
    this.#snapshot = snapshot;
    for (const listener of this.#listeners) listener();
  }

  /** Told after every swap. */
  onSwap(listener: () => void): void {
    this.#listeners.push(listener);
  }
}

let shipped: CatalogueSnapshot | undefined;

function shippedSnapshot(): CatalogueSnapshot {
  const { layers, tokenizers, benchmarks } = shippedData();
  return (shipped ??= new CatalogueSnapshot({ ...composeCatalogue(layers, tokenizers), benchmarks }));
}
