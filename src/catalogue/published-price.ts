import type { PriceLine } from './price.js';
import type { TokenPriceList } from './token-price-list.js';

interface Priced {
  readonly pricing: readonly PriceLine[];
  readonly tokenPrices?: TokenPriceList;
}

/** The prices of an endpoint in the listings, as decimal text in USD. */
export interface PublishedPrice {
  /** Per token. */
  readonly prompt: string;
  /** Per token. */
  readonly completion: string;
  /** Per image. */
  readonly image: string;
}

/** "0" for units that the endpoint does not charge for. */
export function publishedPrice({ pricing, tokenPrices }: Priced): PublishedPrice {
  const price = (unit: string, ...billables: string[]): string =>
    pricing.find((line) => billables.includes(line.billable) && line.unit === unit && line.variant === undefined)
      ?.costUsd ?? '0';
  return {
    prompt: tokenPrices?.prompt ?? price('token', 'input_text'),
    completion: tokenPrices?.completion ?? price('token', 'output_text', 'output_image', 'output_audio'),
    image: price('image', 'output_image'),
  };
}
