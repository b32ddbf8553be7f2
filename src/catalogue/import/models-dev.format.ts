import { givenMembers } from '../../kernel/given-members.js';
import type { EndpointEntry, ModelEntry, ProviderEntry } from '../entries/entry.js';
import { aModelId, anObject, keyed, read } from '../entries/schema.js';
import { tokenPriceEntry } from '../entries/token-price-entry.js';
import { nameKey } from '../names/model-name-index.js';
import { readCostFacts } from '../token-price-list.js';
import type { ImportedCatalogue } from './imported-catalogue.js';
import {
  aModel,
  aVendor,
  type ModelsDevModel,
  type ModelsDevOffer,
  type ModelsDevVendor,
} from './models-dev.schema.js';
import { matchVendorModels } from './vendor-matching.js';

/**
 * Whether the value is the data set of models.dev: an object with `models` and `providers`, or api.json, which maps
 * slugs to vendors.
 */
export function looksLikeModelsDev(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if ('models' in value && 'providers' in value) return true;
  const vendors = Object.values(value);
  return (
    vendors.length > 0 && vendors.every((vendor) => typeof vendor === 'object' && vendor !== null && 'models' in vendor)
  );
}

/** Reads the models.dev format. `known` are the ids of the current catalogue, which vendors' offers can also match. */
export function readModelsDev(value: unknown, known: readonly string[]): ImportedCatalogue {
  const whole = read(anObject, value);
  const canonical = 'models' in whole && 'providers' in whole;
  const vendors = canonical ? read(keyed(aVendor), whole['providers'], ['providers']) : read(keyed(aVendor), whole);
  const models = canonical ? read(keyed(aModel), whole['models'], ['models']) : newModels(whole, vendors, known);
  for (const id of Object.keys(models)) read(aModelId, id, ['models', id]);
  const { byModel, unmatched } = matchVendorModels(vendors, [...new Set([...Object.keys(models), ...known])]);
  const ids = [...new Set([...Object.keys(models), ...byModel.keys()])].toSorted();
  return {
    format: 'models.dev',
    models: ids.map((id) => ({
      ...(models[id] ? modelEntry(id, models[id]) : { id }),
      endpoints: (byModel.get(id) ?? []).map(({ provider, name, offer }) =>
        endpointEntry(provider, name, offer, id, models[id]),
      ),
    })),
    providers: Object.entries(vendors).map(([slug, vendor]) => providerEntry(slug, vendor)),
    pathOf: (id) => (models[id] ? ['models', id] : []),
    unmatched,
  };
}

/**
 * The models that are missing from the catalogue and are offered by their own authors. `api.json` has models only as
 * offers of vendors and does not name the author. So only the offers of a vendor that is an author in the catalogue add
 * models.
 */
function newModels(
  whole: Readonly<Record<string, unknown>>,
  vendors: Readonly<Record<string, ModelsDevVendor>>,
  known: readonly string[],
): Record<string, ModelsDevModel> {
  const authors = new Set(known.map((id) => id.slice(0, id.indexOf('/'))));
  const spelled = new Set(known.map(nameKey));
  const unmatched = new Set(matchVendorModels(vendors, known).unmatched);
  const found: Record<string, ModelsDevModel> = {};
  for (const [slug, { models = {} }] of Object.entries(vendors)) {
    if (!authors.has(slug)) continue;
    for (const name of Object.keys(models)) {
      const id = `${slug}/${name}`;
      if (name.includes('/') || spelled.has(nameKey(id)) || !unmatched.has(`${slug}: ${name}`)) continue;
      const listed = (whole[slug] as { readonly models: Readonly<Record<string, unknown>> }).models[name];
      const model = read(aModel, listed, [slug, 'models', name]);
      if (
        model.name !== undefined &&
        model.release_date !== undefined &&
        model.modalities?.output &&
        model.modalities.input
      )
        found[id] = model;
    }
  }
  return found;
}

function modelEntry(id: string, model: ModelsDevModel): ModelEntry {
  const embeds = isOfEmbeddings(id, model);
  const supports = embeds ? [] : supportedOf(model);
  const output = embeds ? ['embeddings'] : model.modalities?.output;
  return {
    id,
    ...givenMembers({
      name: model.name,
      family: model.family,
      released: model.release_date,
      knowledge: model.knowledge,
      input: model.modalities?.input && modalities(model.modalities.input),
      output: output && modalities(output),
      context: model.limit?.context || undefined,
      max_output: model.limit?.output || undefined,
      supports: supports.length > 0 ? supports : undefined,
      open_weights: model.open_weights,
      weights: model.weights?.[0]?.url,
    }),
  };
}

/** This format has no modality for embeddings, so the listed output of an embedding model is text. */
const isOfEmbeddings = (id: string, { family = '' }: ModelsDevModel): boolean =>
  /(^|[/._-])embed(ding)?s?([._-]|$)/i.test(id) || family.includes('embedding');

function endpointEntry(
  provider: string,
  name: string,
  offer: ModelsDevOffer,
  id: string,
  model: ModelsDevModel | undefined,
): EndpointEntry {
  const differs = (own: number | undefined, general: number | undefined): number | undefined =>
    own && own !== general ? own : undefined;
  const list = offer.cost && readCostFacts(offer.cost);
  return {
    provider,
    ...(name === id.slice(id.indexOf('/') + 1) ? {} : { model: name }),
    ...givenMembers({
      context: differs(offer.limit?.context, model?.limit?.context),
      max_input: offer.limit?.input || undefined,
      max_output: differs(offer.limit?.output, model?.limit?.output),
      usd_per_million: list && tokenPriceEntry(list),
    }),
  };
}

function supportedOf(model: ModelsDevModel): string[] {
  const text = model.modalities?.output?.includes('text') ?? true;
  return [
    ...(text && model.limit?.output ? ['max_tokens'] : []),
    ...(model.reasoning ? ['include_reasoning', 'reasoning'] : []),
    ...(model.structured_output ? ['response_format', 'structured_outputs'] : []),
    ...(model.temperature ? ['temperature'] : []),
    ...(model.tool_call ? ['tool_choice', 'tools'] : []),
  ].toSorted();
}

const providerEntry = (slug: string, vendor: ModelsDevVendor): ProviderEntry => ({
  slug,
  ...givenMembers({ name: vendor.name, documentation: vendor.doc, api: vendor.api }),
});

/** The data set's modality `pdf` is `file` on the wire. */
const modalities = (names: readonly string[]): string[] => [
  ...new Set(names.map((name) => (name === 'pdf' ? 'file' : name))),
];
