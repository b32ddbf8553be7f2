import type { CatalogueProvider } from '../../catalogue/catalogue-model.js';
import type { ProviderRecord } from './dto/providers.response.dto.js';

/** Converts a provider to its API record; unknown values are null. */
export function toProviderRecord(provider: CatalogueProvider): ProviderRecord {
  return {
    name: provider.name,
    slug: provider.slug,
    privacy_policy_url: provider.privacyPolicy ?? null,
    terms_of_service_url: provider.termsOfService ?? null,
    status_page_url: provider.statusPage ?? null,
    headquarters: provider.headquarters ?? null,
    datacenters: provider.datacenters ? [...provider.datacenters] : null,
  };
}
