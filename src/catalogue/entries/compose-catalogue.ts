import type { CatalogueModel, CatalogueProvider } from '../catalogue-model.js';
import { composeModel, composeProvider } from './compose-model.js';
import type { ModelEntry, ProviderEntry } from './entry.js';
import { EntryFault } from './entry-fault.js';
import { overlayModels, overlayProviders } from './overlay.js';

/** One source of what is known; later ones are laid over earlier ones. */
export interface Layer {
  readonly models: readonly ModelEntry[];
  readonly providers: readonly ProviderEntry[];
}

export interface ComposedCatalogue {
  readonly models: readonly CatalogueModel[];
  readonly providers: readonly CatalogueProvider[];
}

/**
 * Lays the layers over each other and makes the models of the finished entries. A model that is not complete is left out
 * where `onFault` hears of it, else its EntryFault is thrown.
 */
export function composeCatalogue(
  layers: readonly Layer[],
  tokenizers: Readonly<Record<string, string>>,
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
      return [composeModel(entry, { providers, tokenizers })];
    } catch (error) {
      if (!onFault || !(error instanceof EntryFault)) throw error;
      onFault(error);
      return [];
    }
  });
  // A vendor that only an endpoint names is a vendor all the same.
  for (const endpoint of models.flatMap((model) => model.endpoints))
    if (!providers.has(endpoint.provider))
      providers.set(endpoint.provider, { slug: endpoint.provider, name: endpoint.providerName });
  return { models, providers: [...providers.values()].toSorted((a, b) => (a.slug < b.slug ? -1 : 1)) };
}
