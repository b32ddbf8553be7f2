import type { PublishedPrice } from '../../catalogue/published-price.js';
import type { TokenPriceList, TokenPriceName, TokenPriceTier } from '../../catalogue/token-price-list.js';
import type { EndpointPricing, PricingOverride } from './dto/pricing.response.dto.js';

/** The prices that an override can contain. */
const OVERRIDABLE = {
  prompt: 'prompt',
  completion: 'completion',
  cacheRead: 'input_cache_read',
  cacheWrite: 'input_cache_write',
  cacheWrite1h: 'input_cache_write_1h',
  inputAudio: 'audio',
} as const satisfies Partial<Record<TokenPriceName, keyof PricingOverride>>;

const OPTIONAL = {
  cacheRead: 'input_cache_read',
  cacheWrite: 'input_cache_write',
  cacheWrite1h: 'input_cache_write_1h',
  reasoning: 'internal_reasoning',
  inputAudio: 'audio',
  outputAudio: 'audio_output',
  outputImage: 'image_output',
  request: 'request',
  webSearch: 'web_search',
} as const satisfies Partial<Record<TokenPriceName, keyof EndpointPricing>>;

/** The prices without tiers. `tokens`: additional prices, which the published price does not contain. */
export function toPricing(
  { prompt, completion, image, inputCharacter }: PublishedPrice,
  tokens?: TokenPriceList,
): Omit<EndpointPricing, 'overrides'> {
  const perImage = image === '0' ? tokens?.inputImage : image;
  return {
    prompt,
    completion,
    ...(perImage === undefined ? {} : { image: perImage }),
    ...(inputCharacter === undefined ? {} : { input_character: inputCharacter }),
    ...(tokens ? named(OPTIONAL, tokens) : {}),
  };
}

/** The member `overrides`, if there are tiers. */
export function toOverrides(tokens: TokenPriceList | undefined): Pick<EndpointPricing, 'overrides'> {
  const overrides = tokens?.tiers?.flatMap(toOverride) ?? [];
  return overrides.length > 0 ? { overrides } : {};
}

/** The published record has no member for a condition on days, so a tier with such a condition is not listed. */
function toOverride(tier: TokenPriceTier): PricingOverride[] {
  const prices = named(OVERRIDABLE, tier);
  if (tier.utcDays !== undefined || Object.keys(prices).length === 0) return [];
  return [
    {
      ...(tier.minPromptTokens === undefined ? {} : { min_prompt_tokens: tier.minPromptTokens }),
      ...(tier.utcStart === undefined ? {} : { utc_start: tier.utcStart }),
      ...(tier.utcEnd === undefined ? {} : { utc_end: tier.utcEnd }),
      ...prices,
    },
  ];
}

function named<Name extends string>(
  names: Readonly<Partial<Record<TokenPriceName, Name>>>,
  prices: Readonly<Partial<Record<TokenPriceName, string>>>,
): Partial<Record<Name, string>> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, published]) => {
      const price = prices[name as TokenPriceName];
      return price === undefined ? [] : [[published, price]];
    }),
  ) as Partial<Record<Name, string>>;
}
