import { Injectable } from '@nestjs/common';
import { Catalogue } from '../catalogue/catalogue.js';
import type { CatalogueEndpoint, CatalogueModel } from '../catalogue/catalogue-model.js';
import { ModelAliases } from '../catalogue/model-aliases.js';
import { undated, type ModelOffer } from '../catalogue/upstream-names.js';
import { notFound } from '../kernel/errors.js';
import type { TextFormat } from '../providers/spec/text-adapter.port.js';
import { AdapterRegistry } from './adapter-registry.js';
import type { Task, TaskResponse } from './task.js';

/** The formats that vendors speak which a route's own names come from. */
const FORMATS_OF_ROUTE: Readonly<Record<TextFormat, readonly TextFormat[]>> = {
  chat: ['chat', 'responses'],
  responses: ['chat', 'responses'],
  messages: ['messages'],
};
const MAX_NAMED_CANDIDATES = 20;
const MAX_QUOTED_CHARACTERS = 200;

/** What a request's model name is resolved for. */
type Purpose = Pick<Task<TaskResponse>, 'capability' | 'format'>;

/**
 * Finds the models that requests name: by slug, by an alias of the operator, or by a vendor's own name. Dates at the
 * end of such a name are ignored where no offer has the very name. Vendors that speak the format of the route come
 * first.
 */
@Injectable()
export class ModelNames {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly aliases: ModelAliases,
    private readonly adapters: AdapterRegistry,
  ) {}

  /** Throws not_found for a name that is unknown or ambiguous. */
  find(name: string, purpose: Purpose): CatalogueModel {
    return this.catalogue.find(name) ?? this.#byAlias(name) ?? this.#byUpstreamName(name, purpose);
  }

  #byAlias(name: string): CatalogueModel | undefined {
    const slug = this.aliases.slugOf(name);
    if (slug === undefined) return undefined;
    const model = this.catalogue.find(slug);
    if (!model) throw notFound(`Model ${quoted(name)} stands for ${slug}, which is not known here`, 'model_not_found');
    return model;
  }

  #byUpstreamName(name: string, { capability, format }: Purpose): CatalogueModel {
    const offers = this.catalogue.snapshot.upstreamNames.offersOf(name);
    const able = offers.filter(({ endpoint }) => endpoint.capability === capability && endpoint.adapter !== null);
    const spoken = able.filter(({ endpoint }) => format !== undefined && this.#speaks(endpoint, format));
    for (const group of [spoken, able, offers]) {
      const models = closest(group, name);
      if (models.length === 1) return models[0]!;
      if (models.length > 1) throw ambiguous(name, models);
    }
    throw notFound(`Model ${quoted(name)} is not known. GET /models lists the models.`, 'model_not_found');
  }

  #speaks(endpoint: CatalogueEndpoint, format: TextFormat): boolean {
    const spoken = this.adapters.text(endpoint.adapter!)?.formatsOf(endpoint);
    return spoken !== undefined && FORMATS_OF_ROUTE[format].some((one) => spoken.includes(one));
  }
}

/** The models that vendors call so; else those that they call so without the date; else with any date. */
function closest(offers: readonly ModelOffer[], name: string): readonly CatalogueModel[] {
  const base = undated(name);
  const isNamed = [
    (upstream: string) => upstream === name,
    (upstream: string) => upstream === base,
    (upstream: string) => undated(upstream) === base,
  ];
  for (const matches of isNamed) {
    const found = new Set(offers.flatMap(({ model, endpoint }) => (matches(endpoint.upstreamModel) ? [model] : [])));
    if (found.size > 0) return [...found];
  }
  return [];
}

function ambiguous(name: string, models: readonly CatalogueModel[]): Error {
  const slugs = models.map(({ id }) => id).toSorted();
  const more = slugs.length > MAX_NAMED_CANDIDATES ? ` and ${slugs.length - MAX_NAMED_CANDIDATES} more` : '';
  return notFound(
    `Model ${quoted(name)} may be ${slugs.slice(0, MAX_NAMED_CANDIDATES).join(', ')}${more}. Send one of these ` +
      'slugs; the operator can decide by `operator models alias set`.',
    'model_not_found',
  );
}

/** A model's name as error messages quote it. */
export const quoted = (model: string): string => `"${model.slice(0, MAX_QUOTED_CHARACTERS)}"`;
