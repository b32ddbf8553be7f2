import type { CatalogueModel, CatalogueProvider } from '../catalogue-model.js';
import { composeModel, composeProvider, type CompositionRules } from './compose-model.js';
import type { ModelEntry, ProviderEntry } from './entry.js';
import { EntryFault } from './entry-fault.js';
import { overlayModels, overlayProviders } from './overlay.js';

/** One source of catalogue data; later layers override earlier ones. */
export interface Layer {
  readonly models: readonly ModelEntry[];
  readonly providers: readonly ProviderEntry[];
}

export interface ComposedCatalogue {
  readonly models: readonly CatalogueModel[];
  readonly providers: readonly CatalogueProvider[];
}

interface KnownModel {
  readonly rules: CompositionRules;
  readonly vendors: string;
  readonly model: CatalogueModel;
}

/**
 * The composed models by their entries. Most entries are shipped and never change, so a change of the catalogue
 * composes only few models.
 */
const known = new WeakMap<ModelEntry, KnownModel>();

function modelOf(
  entry: ModelEntry,
  rules: CompositionRules,
  providers: ReadonlyMap<string, CatalogueProvider>,
): CatalogueModel {
  const slugs = [entry.id.slice(0, entry.id.indexOf('/')), ...(entry.endpoints ?? []).map(({ provider }) => provider)];
  const vendors = JSON.stringify(slugs.map((slug) => providers.get(slug)?.name));
  const found = known.get(entry);
  if (found?.rules === rules && found.vendors === vendors) return found.model;
  const model = composeModel(entry, { ...rules, providers });
  known.set(entry, { rules, vendors, model });
  return model;
}

/**
 * Merges the layers and creates the models of the merged entries. Omits an incomplete model and calls `onFault`; throws
 * the EntryFault if there is no `onFault`.
 */
export function composeCatalogue(
  layers: readonly Layer[],
  rules: CompositionRules,
  onFault?: (fault: EntryFault) => void,
): ComposedCatalogue {
  const providers = new Map(
    [...overlayProviders(...layers.map((layer) => layer.providers))].map(([slug, entry]) => [
      slug,
      composeProvider(entry),
    ]),
  );
  const models = [...overlayModels(...layers.map((layer) => layer.models)).values()].flatMap((entry) => {
    try {
      return [modelOf(entry, rules, providers)];
    } catch (error) {
      if (!onFault || !(error instanceof EntryFault)) throw error;
      onFault(error);
      return [];
    }
  });
  // Add providers that only an endpoint names.
  for (const endpoint of models.flatMap((model) => model.endpoints))
    if (!providers.has(endpoint.provider))
      providers.set(endpoint.provider, { slug: endpoint.provider, name: endpoint.providerName });
  return { models, providers: [...providers.values()].toSorted((a, b) => (a.slug < b.slug ? -1 : 1)) };
}
