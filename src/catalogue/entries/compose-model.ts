import type { CatalogueEndpoint, CatalogueModel, CatalogueProvider } from '../catalogue-model.js';
import { publishedPrice } from '../published-price.js';
import { readPublishedPricing } from '../token-price-list.js';
import { composeEndpoint, byPreference } from './compose-endpoint.js';
import { describe } from './describe.js';
import type { ModelEntry, ProviderEntry } from './entry.js';
import { EntryFault } from './entry-fault.js';
import type { TextRules } from './text-rules.js';

/** Rules for deriving data that entries need not repeat. */
export interface CompositionRules {
  /** Tokenizer groups by prefixes of slugs and family names. The longest matching prefix applies. */
  readonly tokenizers: Readonly<Record<string, string>>;
  readonly text: TextRules;
}

interface Surroundings extends CompositionRules {
  readonly providers: ReadonlyMap<string, CatalogueProvider>;
}

const REQUIRED_MEMBERS = ['name', 'input', 'output'] as const;

/** Creates the model of a merged entry. Throws EntryFault if a required member is missing. */
export function composeModel(entry: ModelEntry, surroundings: Surroundings): CatalogueModel {
  for (const member of REQUIRED_MEMBERS)
    if (entry[member] === undefined)
      throw new EntryFault([entry.id], `lacks the member "${member}", and no other source has it`);
  if (entry.created === undefined && entry.released === undefined)
    throw new EntryFault([entry.id], 'lacks the member "released", and no other source has it');
  const author = entry.id.slice(0, entry.id.indexOf('/'));
  const tokenizer = entry.tokenizer ?? tokenizerOf(entry, surroundings.tokenizers);
  const endpoints = byPreference(
    (entry.endpoints ?? []).map((endpoint) =>
      composeEndpoint(endpoint, entry, {
        providerName: surroundings.providers.get(endpoint.provider)?.name ?? endpoint.provider,
        tokenizer,
        text: surroundings.text,
      }),
    ),
    author,
  );
  const voices = entry.voices ?? endpoints.find((endpoint) => endpoint.voices)?.voices;
  return {
    id: entry.id,
    canonicalSlug: entry.canonical_slug ?? entry.id,
    name: entry.name!,
    description: entry.description ?? describe(entry, surroundings.providers.get(author)?.name ?? author),
    created: entry.created ?? secondsOf(entry.released!),
    contextLength: entry.context ?? 0,
    inputModalities: entry.input!,
    outputModalities: entry.output!,
    tokenizer,
    family: entry.family,
    instructType: entry.instruct_type ?? null,
    maxCompletionTokens: entry.max_output || null,
    isModerated: entry.moderated ?? false,
    supportedParameters: [
      ...new Set([
        ...(entry.supports ?? []),
        ...endpoints.flatMap((endpoint) => Object.keys(endpoint.supportedParameters)),
      ]),
    ].toSorted(),
    supportedVoices: voices ?? null,
    defaultParameters: entry.default_parameters,
    perRequestLimits: entry.per_request_limits,
    knowledgeCutoff: entry.knowledge === undefined ? null : wholeDay(entry.knowledge),
    expirationDate: entry.expires === undefined ? null : wholeDay(entry.expires),
    ...pricesOf(entry, endpoints),
    categories: entry.categories,
    distillable: entry.distillable,
    endpoints,
  };
}

export function composeProvider(entry: ProviderEntry): CatalogueProvider {
  return {
    slug: entry.slug,
    name: entry.name ?? entry.slug,
    documentation: entry.documentation,
    baseUrl: entry.api,
    privacyPolicy: entry.privacy_policy,
    termsOfService: entry.terms_of_service,
    statusPage: entry.status_page,
    headquarters: entry.headquarters,
    datacenters: entry.datacenters,
  };
}

/**
 * A price is "0" if the model is not priced by tokens, and "-1" if no price of the model is known (docs/api-rules.md,
 * section 8).
 */
function pricesOf(
  entry: ModelEntry,
  endpoints: readonly CatalogueEndpoint[],
): Pick<CatalogueModel, 'pricing' | 'tokenPrices'> {
  const callable = endpoints.find((endpoint) => endpoint.adapter !== null && endpoint.pricing.length > 0);
  // The price that callers of this service pay takes precedence over an import's general price of the model.
  if (entry.pricing && !callable) {
    const { prompt, completion, image = '0', request = '0' } = entry.pricing;
    const tokenPrices = readPublishedPricing({ ...entry.pricing });
    return { pricing: { prompt, completion, image, request }, ...(tokenPrices ? { tokenPrices } : {}) };
  }
  const lead = callable ?? endpoints.find((endpoint) => endpoint.pricing.length > 0);
  if (!lead) return { pricing: { prompt: '-1', completion: '-1', image: '-1', request: '-1' } };
  const { tokenPrices } = lead;
  return {
    pricing: { ...publishedPrice(lead), request: tokenPrices?.request ?? '0' },
    ...(tokenPrices ? { tokenPrices } : {}),
  };
}

/**
 * The tokenizer of the longest prefix of the slug, otherwise of the family. A prefix does not match if a lowercase
 * letter follows it.
 */
function tokenizerOf(entry: ModelEntry, tokenizers: Readonly<Record<string, string>>): string {
  const beginnings = Object.keys(tokenizers).toSorted((a, b) => b.length - a.length);
  const fits =
    (name: string | undefined) =>
    (beginning: string): boolean =>
      name !== undefined && name.startsWith(beginning) && !/[a-z]/.test(name.charAt(beginning.length));
  const found =
    beginnings.find(fits(entry.id.slice(entry.id.indexOf('/') + 1).toLowerCase())) ??
    beginnings.find(fits(entry.family?.toLowerCase()));
  return found === undefined ? 'Other' : tokenizers[found]!;
}

/** Converts `2025` and `2025-04` to their first day, because responses contain only whole days. */
const wholeDay = (day: string): string => `${day}${'-01-01'.slice(day.length - 4)}`;

const secondsOf = (day: string): number =>
  Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8, 10) || '1')) / 1000;
