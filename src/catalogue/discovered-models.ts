import { givenMembers } from '../kernel/given-members.js';
import { notFound } from '../kernel/errors/errors.js';
import type { CatalogueModel } from './catalogue-model.js';
import { shippedData } from './data/shipped.js';
import type { EndpointEntry, ModelEntry } from './entries/entry.js';

/** A model from the list of a provider's server. */
interface DiscoveredModel {
  /** The server's own name of the model. */
  readonly name: string;
  readonly capability: 'chat' | 'embeddings';
  readonly context?: number;
  readonly input: readonly string[];
  readonly supports: readonly string[];
}

export interface Discovery {
  readonly provider: { readonly slug: string; readonly name: string };
  /** The adapters that can call the server, by capability. Set only for servers without a credential. */
  readonly adapters?: Readonly<Partial<Record<'chat' | 'embeddings', string>>>;
  /** Decimal text in USD per million tokens. */
  readonly prices: { readonly prompt: string; readonly completion: string };
  /** The day of the discovery, which becomes the release date of new models. */
  readonly day: string;
  readonly models: readonly DiscoveredModel[];
  /** The models that are already listed. */
  readonly listed: readonly CatalogueModel[];
}

/** The rule for discovering the models of a provider. */
export interface DiscoveryRule extends Pick<Discovery, 'adapters'> {
  /** The format of the server's list of models (`model_list` of the data). */
  readonly list?: string;
}

/** Throws not_found for a provider without a model list that this service can read. */
export function discoveryRule(provider: string): DiscoveryRule {
  const rules = shippedData().rules.text.adapters.filter((rule) => rule.package === undefined);
  const rule = rules.find(({ provider: slug }) => slug === provider);
  if (!rule) {
    const slugs = (local: boolean): string =>
      rules
        .filter((known) => (known.local ?? false) === local)
        .map(({ provider: slug }) => slug)
        .join(', ');
    throw notFound(
      `The models of "${provider.slice(0, 100)}" cannot be discovered. Servers of your own: ${slugs(true)}. ` +
        `Vendors: ${slugs(false)}.`,
    );
  }
  const { chat, embeddings, local, model_list: list } = rule;
  return givenMembers({ list, adapters: local ? givenMembers({ chat, embeddings }) : undefined });
}

/** One discovered model and its entry. */
export interface DiscoveredEntry {
  readonly id: string;
  readonly name: string;
  /** Whether the catalogue already has the model. */
  readonly isListed: boolean;
  /** Absent if the model ships with the service. */
  readonly entry?: ModelEntry;
}

/**
 * The entries for the models of one server, sorted by id. An id is `<provider>/<name>`, with `--` instead of slashes in
 * the name. A vendor's model that ships with the service keeps its id and gets no entry.
 */
export function discoveredEntries(discovery: Discovery): DiscoveredEntry[] {
  const { provider, listed, models, adapters } = discovery;
  const shipped = adapters ? new Map<string, string>() : shippedNames(provider.slug);
  const ids = new Set(listed.map(({ id }) => id));
  const entries = new Map<string, DiscoveredEntry>();
  for (const model of models) {
    const id = `${provider.slug}/${slugOf(model.name)}`;
    const known = shipped.get(model.name);
    if (known !== undefined) entries.set(known, { id: known, name: model.name, isListed: true });
    else
      entries.set(id, {
        id,
        name: model.name,
        isListed: ids.has(id),
        entry: entryOf(id, model, discovery, !ids.has(id)),
      });
  }
  return [...entries.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** The ids of the provider's discovered models that its server no longer lists. */
export const goneModels = ({ provider, listed }: Discovery, found: readonly DiscoveredEntry[]): string[] => {
  const ids = new Set(found.map(({ id }) => id));
  return listed
    .filter(({ endpoints }) => endpoints.some((endpoint) => endpoint.provider === provider.slug && endpoint.adapter))
    .map(({ id }) => id)
    .filter((id) => id.startsWith(`${provider.slug}/`) && !ids.has(id));
};

/** The ids of a vendor's models that ship with the service, by the vendor's own names. */
function shippedNames(slug: string): Map<string, string> {
  const models = shippedData().layers.flatMap((layer) => layer.models);
  return new Map(
    models.flatMap(({ id, endpoints = [] }) =>
      endpoints
        .filter(({ provider }) => provider === slug)
        .map(({ model }) => [model ?? id.slice(id.indexOf('/') + 1), id] as const),
    ),
  );
}

function entryOf(
  id: string,
  model: DiscoveredModel,
  { provider, prices, adapters, day }: Discovery,
  isNew: boolean,
): ModelEntry {
  const { name, capability, context, input, supports } = model;
  const adapter = adapters?.[capability];
  const endpoint: EndpointEntry = {
    provider: provider.slug,
    capability,
    ...(adapter === undefined ? {} : { adapter, credential: false }),
    model: name,
    usd_per_million: capability === 'embeddings' ? { ...prices, completion: '0' } : prices,
  };
  return {
    id,
    name: `${provider.name}: ${name}`,
    ...(isNew ? { released: day } : {}),
    input,
    output: [capability === 'embeddings' ? 'embeddings' : 'text'],
    ...givenMembers({ context }),
    supports,
    endpoints: [endpoint],
  };
}

/**
 * Removes dots and slashes at the beginning. Replaces other slashes by `--`, because a slash separates the author from
 * the slug. Replaces spaces and `?#%` by `-`.
 */
const slugOf = (name: string): string =>
  name
    .replace(/^[./\\]+/, '')
    .replace(/[/\\]+/g, '--')
    .replace(/[\s?#%]+/g, '-');
