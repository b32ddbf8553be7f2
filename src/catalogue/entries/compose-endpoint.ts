import { parseDecimal, sum, type Decimal } from '../../kernel/money.js';
import type { PriceLine } from '../../kernel/price.js';
import type { Capability, CatalogueEndpoint, TokenMaxima, TokenPrices } from '../catalogue-model.js';
import type { EndpointEntry, ModelEntry, TokenMaximaEntry, TokenPriceEntry } from './entry.js';
import { compareDecimals, perToken } from './token-price.js';

/** What an endpoint of a model does, where its entry does not say. */
export function capabilityOf(model: ModelEntry): Capability {
  const output = model.output ?? [];
  if (output.includes('image')) return 'image';
  if (output.includes('embeddings')) return 'embeddings';
  if (output.includes('audio') && !output.includes('text')) return 'speech';
  return (model.input ?? []).every((modality) => modality === 'audio') ? 'transcription' : 'chat';
}

export function composeEndpoint(entry: EndpointEntry, model: ModelEntry, providerName: string): CatalogueEndpoint {
  const capability = entry.capability ?? capabilityOf(model);
  const tokens = entry.usd_per_million && tokenPrices(entry.usd_per_million);
  return {
    provider: entry.provider,
    providerName,
    tag: entry.tag ?? entry.provider,
    capability,
    adapter: entry.adapter ?? null,
    ...(entry.package === undefined ? {} : { package: entry.package }),
    upstreamModel: entry.model ?? model.id.slice(model.id.indexOf('/') + 1),
    needsCredential: entry.credential ?? true,
    supportsStreaming: entry.streaming ?? capability === 'chat',
    supportedParameters: entry.parameters ?? {},
    allowedPassthroughParameters: entry.passthrough ?? [],
    pricing: entry.pricing?.map(priceLine) ?? (tokens ? tokenLines(capability, tokens) : []),
    ...(tokens ? { tokenPrices: tokens } : {}),
    ...(entry.context === undefined ? {} : { contextLength: entry.context }),
    ...(entry.max_input === undefined ? {} : { maxPromptTokens: entry.max_input }),
    ...(entry.max_output === undefined ? {} : { maxCompletionTokens: entry.max_output }),
    ...(entry.max_input_characters === undefined ? {} : { maxInputCharacters: entry.max_input_characters }),
    ...(entry.voices === undefined ? {} : { voices: entry.voices }),
    ...(entry.max_tokens === undefined ? {} : { maxTokens: tokenMaxima(entry.max_tokens) }),
    ...(entry.timeout_ms === undefined ? {} : { timeoutMs: entry.timeout_ms }),
    ...(entry.pixel_bounds === undefined ? {} : { pixelBounds: entry.pixel_bounds }),
    ...(entry.zdr === undefined ? {} : { zeroDataRetention: entry.zdr }),
    ...(entry.regions === undefined ? {} : { regions: entry.regions }),
    ...(entry.quantization === undefined ? {} : { quantization: entry.quantization }),
  };
}

const priceLine = ({
  billable,
  unit,
  cost_usd,
  variant,
}: NonNullable<EndpointEntry['pricing']>[number]): PriceLine => ({
  billable,
  unit,
  costUsd: cost_usd,
  ...(variant === undefined ? {} : { variant }),
});

function tokenMaxima(entry: TokenMaximaEntry): TokenMaxima {
  const {
    per_reference: perReference,
    per_image: perImage,
    output_base: outputBase,
    output_per_character: outputPerCharacter,
    ...same
  } = entry;
  return { ...same, perReference, perImage, outputBase, outputPerCharacter };
}

function tokenPrices(entry: TokenPriceEntry): TokenPrices {
  const optional = (name: string, price: string | undefined): object =>
    price === undefined ? {} : { [name]: perToken(price) };
  return {
    prompt: perToken(entry.prompt),
    completion: perToken(entry.completion),
    ...optional('cacheRead', entry.cache_read),
    ...optional('cacheWrite', entry.cache_write),
    ...optional('reasoning', entry.reasoning),
    ...optional('inputAudio', entry.input_audio),
    ...optional('outputAudio', entry.output_audio),
  };
}

const OUTPUT_OF: Partial<Record<Capability, PriceLine['billable']>> = { image: 'output_image', speech: 'output_audio' };

function tokenLines(capability: Capability, tokens: TokenPrices): PriceLine[] {
  return [
    { billable: 'input_text', unit: 'token', costUsd: tokens.prompt },
    { billable: OUTPUT_OF[capability] ?? 'output_text', unit: 'token', costUsd: tokens.completion },
  ];
}

/**
 * Endpoints in the order in which they stand for their model: those this service can call, then the author's own, then by
 * price. A price of zero is a plan or a trial of the vendor, not what a caller pays, and comes after the others.
 */
export function inOrder(endpoints: readonly CatalogueEndpoint[], author: string): CatalogueEndpoint[] {
  const ranked = endpoints.map((endpoint) => ({
    endpoint,
    rank: rankOf(endpoint, author),
    price: meanPrice(endpoint),
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
  if (endpoint.adapter !== null && endpoint.pricing.length > 0) return 0;
  const price = meanPrice(endpoint);
  if (!price) return endpoint.pricing.length > 0 ? 2 : 4;
  if (price.units === 0n) return 3;
  return endpoint.provider === author ? 1 : 2;
}

function meanPrice({ tokenPrices: tokens }: CatalogueEndpoint): Decimal | undefined {
  return tokens && sum([parseDecimal(tokens.prompt)!, parseDecimal(tokens.completion)!]);
}

export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
