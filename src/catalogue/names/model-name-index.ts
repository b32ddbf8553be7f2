import { LRUCache } from 'lru-cache';
import { atMostEntries } from '../../kernel/cache-options.js';
import type { CatalogueEndpoint, CatalogueModel } from '../catalogue-model.js';
import { authorOf, publishedNames, type DateForm } from './published-names.js';
import { BUILT_IN, dateOf, undated } from './upstream-names.js';

const LATEST = '-latest';
const MAX_NAME_CHARACTERS = 200;
const MAX_CACHED_DATES = 1_000;

const NONE: readonly CatalogueModel[] = [];

/**
 * Returns the same key for all spellings of a model's name. The key is in lower case, has the catalogue's name of the
 * author, and has dashes instead of dots. The key of a name without an author has no author.
 */
export function nameKey(name: string): string {
  const slash = name.indexOf('/');
  const plain = name
    .slice(slash + 1)
    .toLowerCase()
    .replaceAll('.', '-');
  return slash < 0 ? plain : `${authorOf(name.slice(0, slash).toLowerCase().replace(/^~/, ''))}/${plain}`;
}

const isBuiltIn = ({ id }: CatalogueModel): boolean => id.startsWith(`${BUILT_IN}/`);

/**
 * The models by every name of the published API. The index is computed once for each state of the catalogue, so that a
 * lookup takes one or two reads of a map.
 */
export class ModelNameIndex {
  /** By key. A name with several models is ambiguous. */
  readonly #byKey = new Map<string, readonly CatalogueModel[]>();
  /** By the key without the author. Built-in models are omitted, because no vendor has a name for them. */
  readonly #bySlug = new Map<string, readonly CatalogueModel[]>();
  /** Models under the dated names of earlier requests, cached so that later requests get the same endpoint objects. */
  readonly #dated = new LRUCache<string, CatalogueModel>(atMostEntries(MAX_CACHED_DATES));

  constructor(models: readonly CatalogueModel[]) {
    const served = models.filter(({ endpoints }) => endpoints.length > 0);
    for (const model of served) add(this.#byKey, nameKey(model.id), model);
    this.#addPublished(served);
    this.#addForms(served);
    // A callable model takes precedence over a model that cannot be called.
    for (const model of models) if (!this.#byKey.has(nameKey(model.id))) this.#byKey.set(nameKey(model.id), [model]);
    for (const [key, named] of this.#byKey)
      for (const model of named) if (!isBuiltIn(model)) add(this.#bySlug, key.slice(key.indexOf('/') + 1), model);
  }

  /** The models that a name with or without an author may identify: none, one, or several if the name is ambiguous. */
  find(name: string): readonly CatalogueModel[] {
    if (name.length > MAX_NAME_CHARACTERS) return NONE;
    const key = nameKey(name);
    const index = key.includes('/') ? this.#byKey : this.#bySlug;
    const found = index.get(key);
    if (found) return found;
    const base = undated(key);
    if (base === key) return NONE;
    const models = index.get(base) ?? NONE;
    const [model] = models;
    return models.length === 1 && sellsDatedNames(model!.id.slice(0, model!.id.indexOf('/')))
      ? [this.dated(model!, name)]
      : NONE;
  }

  /**
   * Returns the model with the date from the end of `name` in its upstream names. Returns the model itself if `name`
   * has no date or is too long.
   */
  dated(model: CatalogueModel, name: string): CatalogueModel {
    if (undated(name) === name || name.length > MAX_NAME_CHARACTERS) return model;
    const key = `${model.id} ${name}`;
    let dated = this.#dated.get(key);
    if (!dated) this.#dated.set(key, (dated = datedModel(model, name)));
    return dated;
  }

  /** Adds the names of the shipped table. A model's own name takes precedence over them. */
  #addPublished(models: readonly CatalogueModel[]): void {
    const { models: table, latest } = publishedNames();
    const own = new Map(this.#byKey);
    for (const [name, ids] of Object.entries(table)) {
      const key = nameKey(name);
      if (own.has(key)) continue;
      for (const id of ids) for (const model of this.find(id)) add(this.#byKey, key, model);
    }
    for (const [name, { author, family }] of Object.entries(latest)) {
      const key = nameKey(name);
      const newest = newestOf(models.filter((model) => model.family === family && model.id.startsWith(`${author}/`)));
      if (newest && !own.has(key)) this.#byKey.set(key, [newest]);
    }
  }

  /**
   * Adds further forms of the names. A name with `-latest` is equivalent to the name without it. If only dated models
   * have the name, both forms identify the dated model, or are ambiguous if several dated models have it. Names that
   * are already in the index are not changed.
   */
  #addForms(models: readonly CatalogueModel[]): void {
    const undatedForms = new Map<string, readonly CatalogueModel[]>();
    const datedForms = new Map<string, readonly CatalogueModel[]>();
    for (const model of models) {
      const key = nameKey(model.id);
      const base = undated(key);
      if (base !== key) for (const form of [base, base + LATEST]) add(datedForms, form, model);
      else add(undatedForms, key.endsWith(LATEST) ? key.slice(0, -LATEST.length) : key + LATEST, model);
    }
    for (const forms of [undatedForms, datedForms])
      for (const [form, named] of forms) if (!this.#byKey.has(form)) this.#byKey.set(form, named);
  }
}

function add(index: Map<string, readonly CatalogueModel[]>, key: string, model: CatalogueModel): void {
  const present = index.get(key) ?? NONE;
  if (!present.includes(model)) index.set(key, [...present, model]);
}

/**
 * The newest model that produces only text. If several models have the newest date, the result is their base model. Ids
 * of variants begin with the id of their base model. Undefined if there is no such model.
 */
function newestOf(models: readonly CatalogueModel[]): CatalogueModel | undefined {
  const ofText = models.filter(({ outputModalities: output }) => output.length === 1 && output[0] === 'text');
  const day = Math.max(...ofText.map(({ created }) => created));
  const newest = ofText.filter(({ created }) => created === day);
  return newest.find(({ id }) => newest.every((other) => other.id.startsWith(id)));
}

/** Whether an author sells its own models under dated names. */
const sellsDatedNames = (author: string): boolean => Object.hasOwn(publishedNames().dated, author);

/**
 * Adds the date of a name to the upstream names of a model. Only upstream names of vendors that sell models under dated
 * names are changed. Returns the model itself if the name has no date.
 */
function datedModel(model: CatalogueModel, name: string): CatalogueModel {
  const date = dateOf(name);
  if (date === undefined) return model;
  return { ...model, endpoints: model.endpoints.map((endpoint) => datedEndpoint(endpoint, date)) };
}

function datedEndpoint(endpoint: CatalogueEndpoint, date: string): CatalogueEndpoint {
  const { dated } = publishedNames();
  const { provider, upstreamModel } = endpoint;
  if (!Object.hasOwn(dated, provider) || dateOf(upstreamModel) === date) return endpoint;
  const named = undated(upstreamModel) + written(date, dated[provider]!);
  return { ...endpoint, upstreamModel: named, listedAs: upstreamModel };
}

function written(date: string, form: DateForm): string {
  const [year, month, day] = [date.slice(0, 4), date.slice(4, 6), date.slice(6)];
  return form.replace('YYYY', year).replace('MM', month).replace('DD', day);
}
