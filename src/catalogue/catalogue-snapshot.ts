import type { Benchmarks, ModelScores } from './benchmark.js';
import type { CatalogueEndpoint, CatalogueModel, CatalogueProvider } from './catalogue-model.js';
import { AssumedModels } from './assumed-models.js';
import { ModelNameIndex } from './names/model-name-index.js';
import { NearestNames } from './names/nearest-names.js';
import { UpstreamNames } from './names/upstream-names.js';

interface SnapshotContent {
  readonly models: readonly CatalogueModel[];
  readonly providers: readonly CatalogueProvider[];
  readonly benchmarks?: Benchmarks;
}

/** One immutable state of the catalogue: the offered models, their vendors and scores. */
export class CatalogueSnapshot {
  /** Default order: newest first, then by id. */
  readonly models: readonly CatalogueModel[];
  /** Sorted by slug. */
  readonly providers: readonly CatalogueProvider[];
  readonly benchmarks: Benchmarks;
  /** By model id. */
  readonly scores: ReadonlyMap<string, ModelScores>;
  readonly #byId: ReadonlyMap<string, CatalogueModel>;
  readonly #byPermaslug: ReadonlyMap<string, CatalogueModel>;
  readonly #bySlug: ReadonlyMap<string, CatalogueProvider>;
  /** The names of the published API. */
  readonly names: ModelNameIndex;
  /** Models outside the catalogue whose family is known. */
  readonly assumed: AssumedModels;
  #upstreamNames: UpstreamNames | undefined;
  #nearest: NearestNames | undefined;

  constructor(content: SnapshotContent) {
    this.models = offeredModels(content.models).toSorted((a, b) => b.created - a.created || (a.id < b.id ? -1 : 1));
    this.providers = content.providers;
    this.benchmarks = content.benchmarks ?? { index: undefined, arena: undefined };
    this.#byId = new Map(this.models.map((model) => [model.id, model]));
    this.#byPermaslug = new Map([...this.models.map((model) => [model.canonicalSlug, model] as const), ...this.#byId]);
    this.#bySlug = new Map(this.providers.map((provider) => [provider.slug, provider]));
    this.names = new ModelNameIndex(this.models);
    this.assumed = new AssumedModels(this.models);
    this.scores = this.#scores();
  }

  find(id: string): CatalogueModel | undefined {
    return this.#byId.get(id);
  }

  /** The vendors' own names of the models. The index is built on first use, because most calls name a slug. */
  get upstreamNames(): UpstreamNames {
    return (this.#upstreamNames ??= new UpstreamNames(this.models));
  }

  /**
   * The id of the model that a name identifies: an id, or a name of the published API. Undefined if the name is unknown
   * or ambiguous.
   */
  idOf(name: string): string | undefined {
    if (this.#byId.has(name)) return name;
    const models = this.names.find(name);
    return models.length === 1 ? models[0]!.id : undefined;
  }

  /** The names that are most similar to an unknown one. The index is built when the first unknown name is requested. */
  get nearest(): NearestNames {
    return (this.#nearest ??= new NearestNames(this.models));
  }

  /** Finds a model by the slug that benchmarks use: its id, its canonical slug, or a name of the published API. */
  byPermaslug(permaslug: string): CatalogueModel | undefined {
    return this.#byPermaslug.get(permaslug) ?? this.#byId.get(this.idOf(permaslug) ?? '');
  }

  provider(slug: string): CatalogueProvider | undefined {
    return this.#bySlug.get(slug);
  }

  #scores(): Map<string, ModelScores> {
    const scores = new Map<string, ModelScores>();
    const merge = (permaslug: string, change: (present: ModelScores) => ModelScores): void => {
      const id = this.byPermaslug(permaslug)?.id;
      if (id !== undefined)
        scores.set(id, change(scores.get(id) ?? { intelligence: null, coding: null, agentic: null, arenaElo: null }));
    };
    for (const { permaslug, intelligence, coding, agentic } of this.benchmarks.index?.scores ?? [])
      merge(permaslug, (present) => ({ ...present, intelligence, coding, agentic }));
    for (const { permaslug, elo } of this.benchmarks.arena?.scores ?? [])
      merge(permaslug, (present) => ({ ...present, arenaElo: Math.max(present.arenaElo ?? elo, elo) }));
    return scores;
  }
}

const isKnown = (price: string): boolean => !price.startsWith('-');
const isPriced = ({ pricing }: CatalogueEndpoint): boolean => pricing.length > 0;

/**
 * Returns the models with a known price, each with only the endpoints that have a known price. Other models and
 * endpoints remain in the data, so that an import can add a price. Until then, they are neither listed nor served.
 */
function offeredModels(models: readonly CatalogueModel[]): CatalogueModel[] {
  return models
    .filter(({ pricing }) => Object.values(pricing).every(isKnown))
    .map((model) =>
      model.endpoints.every(isPriced) ? model : { ...model, endpoints: model.endpoints.filter(isPriced) },
    );
}
