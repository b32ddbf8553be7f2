import type { CatalogueProvider, OwnReach } from '../catalogue-model.js';
import { shippedData } from '../data/shipped.js';
import type { Layer } from '../entries/compose-catalogue.js';
import { capabilityOf, type OwnModel, type OwnProvider } from '../own-provider.js';
import { endpointMembersOf, OWN_CAPABILITY_RULES } from './own-capabilities.js';
import type { OwnRows } from './own-rows.js';

/** Own providers and models as catalogue entries. Entries of other sources with the same names are hidden. */
export class OwnCatalogue {
  readonly #providers: ReadonlyMap<string, OwnProvider>;
  readonly #models: readonly OwnModel[];

  constructor({ providers, models }: OwnRows) {
    this.#providers = new Map(providers.map((provider) => [provider.slug, provider]));
    this.#models = models;
  }

  /** Not yet validated. */
  get providers(): readonly unknown[] {
    return [...this.#providers.values()].map(({ slug, name, privacy }) => ({
      slug,
      name: name ?? slug,
      privacy_policy: privacy.policyUrl,
    }));
  }

  /** Not yet validated. A model that this version cannot call is left out. */
  get models(): readonly unknown[] {
    return this.#models.flatMap((model) => {
      const provider = this.#providers.get(model.provider);
      const reach = provider && reachOf(provider);
      const entry = reach && entryOf(model, provider, reach);
      return entry ? [entry] : [];
    });
  }

  /** The layer without entries under the names of own providers. */
  without(layer: Layer): Layer {
    if (this.#providers.size === 0) return layer;
    return {
      models: layer.models.filter(({ id }) => !this.#providers.has(id.slice(0, id.indexOf('/')))),
      providers: layer.providers.filter(({ slug }) => !this.#providers.has(slug)),
    };
  }

  marked(provider: CatalogueProvider): CatalogueProvider {
    const own = this.#providers.get(provider.slug);
    const reach = own && reachOf(own);
    return reach ? { ...provider, own: reach } : provider;
  }
}

/** Undefined for a format of a newer version. */
function reachOf({ format, baseUrl, needsCredential }: OwnProvider): OwnReach | undefined {
  const { ownFormats } = shippedData();
  return Object.hasOwn(ownFormats, format) ? { ...ownFormats[format], address: baseUrl, needsCredential } : undefined;
}

/** Whether providers with this format can have models with capabilities other than chat. */
export const hasOtherCapabilities = ({ format }: OwnProvider): boolean =>
  shippedData().ownFormats[format].others !== undefined;

/** Undefined for a capability of a newer version. */
function entryOf({ provider: slug, id, setup, createdAt }: OwnModel, provider: OwnProvider, reach: OwnReach): unknown {
  const capability = capabilityOf(setup);
  if (!Object.hasOwn(OWN_CAPABILITY_RULES, capability)) return undefined;
  const { upstream, name, contextLength, maxCompletionTokens, inputModalities, supportedParameters } = setup;
  return {
    id: `${slug}/${id}`,
    name: name ?? `${provider.name ?? slug}: ${id}`,
    created: Math.floor(createdAt.getTime() / 1000),
    input: inputModalities,
    output: [OWN_CAPABILITY_RULES[capability].output],
    context: contextLength,
    max_output: maxCompletionTokens ?? undefined,
    supports: supportedParameters,
    endpoints: [
      {
        provider: slug,
        capability,
        adapter: capability === 'chat' ? reach.adapter : reach.others,
        package: reach.package,
        credential: reach.needsCredential,
        address: reach.address,
        model: upstream,
        zdr: provider.privacy.zeroDataRetention,
        streaming: capability === 'chat' || capability === 'speech',
        ...endpointMembersOf(setup),
      },
    ],
  };
}
