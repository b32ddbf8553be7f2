import { compareDecimals, parseDecimal, sum, type Decimal } from '../../kernel/money.js';
import type { ListedPrice } from '../price.js';
import type { Capability, CatalogueEndpoint, TokenMaxima } from '../catalogue-model.js';
import type { TokenPriceList } from '../token-price-list.js';
import type { EndpointEntry, ModelEntry, TokenMaximaEntry } from './entry.js';
import { searchPriceOf, textAdapterOf, textLimitsOf, type TextRules } from './text-rules.js';
import { tokenPriceList } from './token-price-entry.js';

/** Data outside an endpoint's entry on which the endpoint depends. */
interface EndpointSurroundings {
  readonly providerName: string;
  readonly tokenizer: string;
  readonly text: TextRules;
}

/** The default capability of a model's endpoints. */
function capabilityOf(model: ModelEntry): Capability {
  const output = model.output ?? [];
  if (output.includes('image')) return 'image';
  if (output.includes('embeddings')) return 'embeddings';
  if (output.includes('rerank')) return 'rerank';
  if (output.includes('audio') && !output.includes('text')) return 'speech';
  return (model.input ?? []).every((modality) => modality === 'audio') ? 'transcription' : 'chat';
}

export function composeEndpoint(
  entry: EndpointEntry,
  model: ModelEntry,
  { providerName, tokenizer, text }: EndpointSurroundings,
): CatalogueEndpoint {
  const capability = entry.capability ?? capabilityOf(model);
  const webSearch = isOfText(capability) ? searchPriceOf(entry, model, text) : undefined;
  const listed = tokenPriceList(entry);
  const tokens = listed && webSearch !== undefined ? { webSearch, ...listed } : listed;
  const reached = entry.adapter === undefined ? textAdapterOf(entry, model, capability, text) : entry;
  return {
    provider: entry.provider,
    providerName,
    tag: tagOf(entry),
    capability,
    adapter: reached?.adapter ?? null,
    package: reached?.package,
    upstreamModel: entry.model ?? model.id.slice(model.id.indexOf('/') + 1),
    needsCredential: entry.credential ?? true,
    ownAddress: entry.address,
    supportsStreaming: entry.streaming ?? capability === 'chat',
    supportedParameters: entry.parameters ?? {},
    allowedPassthroughParameters: entry.passthrough ?? [],
    pricing: entry.pricing?.map(priceLine) ?? (tokens ? tokenLines(capability, tokens) : []),
    tokenPrices: tokens,
    contextLength: entry.context,
    maxPromptTokens: entry.max_input,
    maxCompletionTokens: entry.max_output,
    maxInputCharacters: entry.max_input_characters,
    minSeconds: entry.min_seconds,
    voices: entry.voices,
    maxTokens: entry.max_tokens && tokenMaxima(entry.max_tokens),
    textLimits: isOfText(capability) ? textLimitsOf(entry, model, tokenizer, text) : undefined,
    timeoutMs: entry.timeout_ms,
    pixelBounds: entry.pixel_bounds,
    zeroDataRetention: entry.zdr,
    regions: entry.regions,
    quantization: entry.quantization,
    readOn: entry.read,
    serviceTier: entry.service_tier,
  };
}

const isOfText = (capability: Capability): boolean => capability === 'chat' || capability === 'embeddings';

/** Begins with the provider's slug, so that tags of different providers differ. */
const tagOf = ({ provider, tag = provider }: EndpointEntry): string =>
  tag === provider || tag.startsWith(`${provider}/`) ? tag : `${provider}/${tag}`;

const priceLine = ({
  billable,
  unit,
  cost_usd,
  variant,
}: NonNullable<EndpointEntry['pricing']>[number]): ListedPrice => ({
  billable,
  unit,
  costUsd: cost_usd,
  variant,
});

function tokenMaxima(entry: TokenMaximaEntry): TokenMaxima {
  const {
    per_reference: perReference,
    per_image: perImage,
    output_base: outputBase,
    output_per_character: outputPerCharacter,
    per_second: perSecond,
    ...same
  } = entry;
  return { ...same, perReference, perImage, outputBase, outputPerCharacter, perSecond };
}

const OUTPUT_OF: Partial<Record<Capability, ListedPrice['billable']>> = {
  image: 'output_image',
  speech: 'output_audio',
};

function tokenLines(capability: Capability, tokens: TokenPriceList): ListedPrice[] {
  return [
    { billable: 'input_text', unit: 'token', costUsd: tokens.prompt },
    { billable: OUTPUT_OF[capability] ?? 'output_text', unit: 'token', costUsd: tokens.completion },
  ];
}

/**
 * Orders endpoints by how well they represent their model. Callable endpoints come before the others. In both groups,
 * the author's own endpoints come first, then lower prices. A price of zero comes last, because it is the price in a
 * plan or a trial of the vendor. Callable endpoints of images, speech and transcription are ordered only by price.
 */
export function byPreference(endpoints: readonly CatalogueEndpoint[], author: string): CatalogueEndpoint[] {
  const ranked = endpoints.map((endpoint) => ({
    endpoint,
    rank: rankOf(endpoint, author),
    price: priceSum(endpoint),
  }));
  ranked.sort(
    (a, b) =>
      a.rank - b.rank ||
      (a.price && b.price ? compareDecimals(a.price, b.price) : 0) ||
      compareText(a.endpoint.tag, b.endpoint.tag),
  );
  return ranked.map(({ endpoint }) => endpoint);
}

function rankOf(endpoint: CatalogueEndpoint, author: string): number {
  // An endpoint of a service tier comes last, because it serves only requests for that tier.
  if (endpoint.serviceTier !== undefined) return 7;
  if (endpoint.pricing.length === 0) return 6;
  const isCallable = endpoint.adapter !== null;
  if (isCallable && !isOfText(endpoint.capability) && endpoint.capability !== 'rerank') return 0;
  const price = priceSum(endpoint);
  const rank = !price ? 1 : price.units === 0n ? 2 : endpoint.provider === author ? 0 : 1;
  return isCallable ? rank : rank + 3;
}

function priceSum({ tokenPrices: tokens }: CatalogueEndpoint): Decimal | undefined {
  return tokens && sum([parseDecimal(tokens.prompt)!, parseDecimal(tokens.completion)!]);
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
