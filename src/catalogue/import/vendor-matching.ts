import type { ModelsDevOffer, ModelsDevVendor } from './models-dev.schema.js';

interface Offer {
  readonly provider: string;
  /** The vendor's own name of the model. */
  readonly name: string;
  readonly offer: ModelsDevOffer;
}

/**
 * Finds the model of each vendor's offer. A name is compared first with the ids, then with the slugs of the vendor's
 * own models. Then its last part is compared with all slugs. Last, the offer's `base_model` is compared with the ids. A
 * vendor has one endpoint for a model. If several offers match, the earliest comparison takes precedence, then the
 * shortest name.
 */
export function matchVendorModels(
  vendors: Readonly<Record<string, ModelsDevVendor>>,
  ids: readonly string[],
): { byModel: Map<string, Offer[]>; unmatched: string[] } {
  const byId = new Map(ids.map((id) => [id.toLowerCase(), id]));
  const bySlug = new Map<string, string | null>();
  for (const id of ids) {
    const slug = id.slice(id.indexOf('/') + 1).toLowerCase();
    // A slug that two authors use is ambiguous.
    bySlug.set(slug, bySlug.has(slug) ? null : id);
  }
  const byModel = new Map<string, Offer[]>();
  const unmatched: string[] = [];
  for (const [provider, vendor] of Object.entries(vendors)) {
    const best = new Map<string, { closeness: number; name: string }>();
    for (const [name, offer] of Object.entries(vendor.models ?? {})) {
      const found = closest(provider, name, offer, byId, bySlug);
      if (!found) {
        unmatched.push(`${provider}: ${name}`);
        continue;
      }
      const present = best.get(found.id);
      if (
        !present ||
        found.closeness < present.closeness ||
        (found.closeness === present.closeness && isShorter(name, present.name))
      )
        best.set(found.id, { closeness: found.closeness, name });
    }
    for (const [id, { name }] of best)
      byModel.set(id, [...(byModel.get(id) ?? []), { provider, name, offer: vendor.models![name]! }]);
  }
  return { byModel, unmatched };
}

function closest(
  provider: string,
  name: string,
  offer: ModelsDevOffer,
  byId: ReadonlyMap<string, string>,
  bySlug: ReadonlyMap<string, string | null>,
): { id: string; closeness: number } | undefined {
  const lower = name.toLowerCase();
  const candidates = [
    byId.get(lower),
    byId.get(`${provider}/${lower}`),
    bySlug.get(lower.slice(lower.lastIndexOf('/') + 1)) ?? undefined,
    offer.base_model && byId.get(offer.base_model.toLowerCase()),
  ];
  const closeness = candidates.findIndex((candidate) => candidate);
  return closeness < 0 ? undefined : { id: candidates[closeness]!, closeness };
}

const isShorter = (a: string, b: string): boolean => a.length < b.length || (a.length === b.length && a < b);
