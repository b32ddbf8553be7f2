import type { CatalogueModel, CatalogueProvider } from './catalogue-model.js';

/** One state of the catalogue. Never changes. */
export class CatalogueSnapshot {
  /** Newest first, then by id: the default order. */
  readonly models: readonly CatalogueModel[];
  /** By slug. */
  readonly providers: readonly CatalogueProvider[];
  readonly #byId: ReadonlyMap<string, CatalogueModel>;
  readonly #bySlug: ReadonlyMap<string, CatalogueProvider>;

  constructor(content: { readonly models: readonly CatalogueModel[]; readonly providers: readonly CatalogueProvider[] }) {
    this.models = content.models.toSorted((a, b) => b.created - a.created || (a.id < b.id ? -1 : 1));
    this.providers = content.providers;
    this.#byId = new Map(this.models.map((model) => [model.id, model]));
    this.#bySlug = new Map(this.providers.map((provider) => [provider.slug, provider]));
  }

  find(id: string): CatalogueModel | undefined {
    return this.#byId.get(id);
  }

  provider(slug: string): CatalogueProvider | undefined {
    return this.#bySlug.get(slug);
  }
}
