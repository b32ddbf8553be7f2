import { Injectable } from '@nestjs/common';
import { AssumedModels } from '../catalogue/assumed-models.js';
import { Catalogue } from '../catalogue/catalogue.js';
import type { CatalogueEndpoint, CatalogueModel } from '../catalogue/catalogue-model.js';
import { ModelAliases } from '../catalogue/names/model-aliases.js';
import { nameKey } from '../catalogue/names/model-name-index.js';
import { refusalOfName } from '../catalogue/names/published-names.js';
import { undated, type ModelOffer } from '../catalogue/names/upstream-names.js';
import { Config } from '../config/config.js';
import { notFound } from '../kernel/errors/errors.js';
import type { TextFormat, VendorFormat } from '../formats/vendor-text.js';
import { AdapterRegistry } from './adapter-registry.js';
import type { Task, TaskResponse } from './task.js';

/** For each route, the vendor formats that are preferred if a vendor's model name matches several models. */
const FORMATS_OF_ROUTE: Readonly<Record<TextFormat, readonly VendorFormat[]>> = {
  chat: ['chat', 'responses'],
  responses: ['chat', 'responses'],
  messages: ['messages'],
};
const MAX_NAMED_CANDIDATES = 20;
const MAX_QUOTED_CHARACTERS = 200;
const NEAREST = 3;

/** The purpose for which a model name in a request is resolved. */
type Purpose = Pick<Task<TaskResponse>, 'capability' | 'format'>;

/**
 * Finds the model for a name in a request. It tries, in this order: the slug, an alias of the operator, a vendor's own
 * name, a published name or another spelling of a slug, and the family of an unknown text model. A date at the end of a
 * name is forwarded to vendors with dated names. A vendor's own name is looked up first at the vendors with the format
 * of the route.
 */
@Injectable()
export class ModelNames {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly aliases: ModelAliases,
    private readonly adapters: AdapterRegistry,
    private readonly config: Config,
  ) {}

  /** Throws not_found for a name that is unknown, refused or ambiguous. */
  find(name: string, purpose: Purpose): CatalogueModel {
    const listed = this.catalogue.find(name);
    if (listed && listed.endpoints.length > 0) return listed;
    return (
      this.#byAlias(name) ??
      (name.includes('/') ? undefined : this.#byUpstreamName(name, purpose)) ??
      only(name, this.catalogue.snapshot.names.find(name)) ??
      listed ??
      this.#byFamily(name, purpose) ??
      this.#refuse(name, purpose)
    );
  }

  /** The names to try, in order, if one of the given names refers to several models; otherwise undefined. */
  expanded(name: string, fallbacks: readonly string[] = []): readonly string[] | undefined {
    if (!this.aliases.hasLists) return undefined;
    const names = [name, ...fallbacks].flatMap((one) => this.#listOf(one) ?? one);
    return names.length > fallbacks.length + 1 ? [...new Set(names)] : undefined;
  }

  /** The slug of a model takes precedence over an alias, as in `find`. */
  #listOf(name: string): readonly string[] | undefined {
    const list = this.aliases.listOf(name);
    return list && !this.catalogue.find(name)?.endpoints.length ? list : undefined;
  }

  #byAlias(name: string): CatalogueModel | undefined {
    const slug = this.aliases.slugOf(name);
    if (slug === undefined) return undefined;
    const model = this.catalogue.find(slug);
    if (!model)
      throw notFound(`Model ${quotedName(name)} is an alias of ${slug}, which is not known here`, 'model_not_found');
    return model;
  }

  #byUpstreamName(name: string, { capability, format }: Purpose): CatalogueModel | undefined {
    const { snapshot } = this.catalogue;
    const offers = snapshot.upstreamNames.offersOf(name);
    const able = offers.filter(({ endpoint }) => endpoint.capability === capability && endpoint.adapter !== null);
    const inFormat = able.filter(({ endpoint }) => format !== undefined && this.#hasFormat(endpoint, format));
    for (const group of [inFormat, able, offers]) {
      const model = only(name, closest(group, name));
      if (model) return snapshot.names.dated(model, name);
    }
    return undefined;
  }

  #byFamily(name: string, { capability }: Purpose): CatalogueModel | undefined {
    if (capability !== 'chat' || this.config.values.MODEL_WILDCARDS === 'off') return undefined;
    const { snapshot } = this.catalogue;
    const model = snapshot.assumed.find(name);
    if (!model || refusalOfName(nameKey(model.id)) !== undefined) return undefined;
    // The name may be a catalogue name without its author, or with dashes for dots.
    return snapshot.find(model.id) ?? only(name, snapshot.names.find(model.id)) ?? model;
  }

  #refuse(name: string, { capability }: Purpose): never {
    const { snapshot } = this.catalogue;
    const fits = ({ endpoints }: CatalogueModel): boolean =>
      endpoints.some((endpoint) => endpoint.capability === capability && endpoint.adapter !== null);
    const nearest = `The most similar models are ${snapshot.nearest.of(name, NEAREST, fits).join(', ')}.`;
    const refusal = refusalOfName(nameKey(name)) ?? refusalOfName(nameKey(AssumedModels.idOf(name) ?? ''));
    if (refusal !== undefined)
      throw notFound(`Model ${quotedName(name)} is not served here. ${refusal} ${nearest}`, 'model_not_found');
    throw notFound(
      `Model ${quotedName(name)} is not known. ${nearest} GET /models lists the models` +
        `${capability === 'chat' ? '; the operator can add a model with `operator models price set`' : ''}.`,
      'model_not_found',
    );
  }

  #hasFormat(endpoint: CatalogueEndpoint, format: TextFormat): boolean {
    const formats = this.adapters.text.get(endpoint.adapter!)?.formatsOf(endpoint);
    return formats !== undefined && FORMATS_OF_ROUTE[format].some((one) => formats.includes(one));
  }
}

/**
 * Returns the models whose upstream name is `name`. If there are none, the models whose upstream name is `name` without
 * its date; if there are none, the models whose upstream name differs only in the date.
 */
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

/** Throws not_found if the name is ambiguous. */
function only(name: string, models: readonly CatalogueModel[]): CatalogueModel | undefined {
  if (models.length > 1) throw ambiguous(name, models);
  return models[0];
}

function ambiguous(name: string, models: readonly CatalogueModel[]): Error {
  const slugs = models.map(({ id }) => id).toSorted();
  const more = slugs.length > MAX_NAMED_CANDIDATES ? ` and ${slugs.length - MAX_NAMED_CANDIDATES} more` : '';
  const named = slugs.slice(0, MAX_NAMED_CANDIDATES).join(', ');
  return notFound(
    `Model ${quotedName(name)} is ambiguous: ${named}${more}. Send one of these ` +
      'slugs, or ask the operator for an alias (`operator models alias set`).',
    'model_not_found',
  );
}

/** A model's name in the form that error messages use. */
export const quotedName = (model: string): string => `"${model.slice(0, MAX_QUOTED_CHARACTERS)}"`;
