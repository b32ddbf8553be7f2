import type { CatalogueEndpoint, CatalogueModel } from '../../catalogue/catalogue-model.js';
import { tierNamed } from '../../formats/service-tier.js';
import type { TokenPriceList } from '../../catalogue/token-price-list.js';

/**
 * Whether an endpoint accepts requests for a tier. If a vendor has an endpoint for the tier, only that endpoint serves
 * it. Without such an endpoint, the vendor's default tier is used, because the price of the requested tier is unknown.
 */
export function servesTier(endpoint: CatalogueEndpoint, model: CatalogueModel, requested: string | undefined): boolean {
  if (endpoint.serviceTier !== undefined) return endpoint.serviceTier === requested;
  return requested === undefined || endpointOfTier(endpoint, model, requested) === undefined;
}

/**
 * The prices of the tier that was used; the endpoint's own prices if the tier has none. `served`: the vendor's name of
 * the tier.
 */
export function pricesOfTier(
  endpoint: CatalogueEndpoint,
  model: CatalogueModel,
  served: string | undefined,
): TokenPriceList | undefined {
  if (served === undefined) return endpoint.tokenPrices;
  const tier = tierNamed(served);
  return endpointOfTier(endpoint, model, tier === 'default' ? undefined : tier)?.tokenPrices ?? endpoint.tokenPrices;
}

/** The provider's other endpoint for the same upstream model with this tier. `tier`: undefined = the default tier. */
const endpointOfTier = (
  { provider, upstreamModel, capability, serviceTier }: CatalogueEndpoint,
  { endpoints }: CatalogueModel,
  tier: string | undefined,
): CatalogueEndpoint | undefined =>
  serviceTier === tier
    ? undefined
    : endpoints.find(
        (other) =>
          other.serviceTier === tier &&
          other.provider === provider &&
          other.upstreamModel === upstreamModel &&
          other.capability === capability,
      );
