import type { EndpointEntry, ModelEntry, ProviderEntry } from './entry.js';

/** The key of an endpoint within its model. */
const endpointKey = (endpoint: EndpointEntry): string => `${endpoint.provider} ${endpoint.tag ?? endpoint.provider}`;

/** Merges a later source into an earlier one: members are replaced, endpoints are matched by provider and tag. */
function overlayModel(under: ModelEntry, over: ModelEntry): ModelEntry {
  return {
    ...under,
    ...over,
    ...(under.endpoints || over.endpoints
      ? { endpoints: overlayEndpoints(under.endpoints ?? [], over.endpoints ?? []) }
      : {}),
  };
}

function overlayEndpoints(under: readonly EndpointEntry[], over: readonly EndpointEntry[]): EndpointEntry[] {
  const byKey = new Map(under.map((endpoint) => [endpointKey(endpoint), endpoint]));
  for (const endpoint of over) byKey.set(endpointKey(endpoint), { ...byKey.get(endpointKey(endpoint)), ...endpoint });
  return [...byKey.values()];
}

/** Merges whole lists; an entry that only one list contains is unchanged. */
export function overlayModels(...layers: readonly (readonly ModelEntry[])[]): Map<string, ModelEntry> {
  const byId = new Map<string, ModelEntry>();
  for (const entry of layers.flat()) {
    const under = byId.get(entry.id);
    byId.set(entry.id, under ? overlayModel(under, entry) : entry);
  }
  return byId;
}

export function overlayProviders(...layers: readonly (readonly ProviderEntry[])[]): Map<string, ProviderEntry> {
  const bySlug = new Map<string, ProviderEntry>();
  for (const entry of layers.flat()) bySlug.set(entry.slug, { ...bySlug.get(entry.slug), ...entry });
  return bySlug;
}
