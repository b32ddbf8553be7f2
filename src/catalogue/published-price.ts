import type { ListedPrice } from './price.js';
import type { TokenPriceList } from './token-price-list.js';

interface Priced {
  readonly pricing: readonly ListedPrice[];
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
  /** Per character of the input; absent = not priced by characters. */
  readonly inputCharacter?: string;
}

/** A price is "0" if the endpoint does not charge for tokens or images. */
export function publishedPrice({ pricing, tokenPrices }: Priced): PublishedPrice {
  const price = (unit: string, ...billables: string[]): string | undefined =>
    pricing.find((line) => billables.includes(line.billable) && line.unit === unit && line.variant === undefined)
      ?.costUsd;
  const inputCharacter = price('character', 'input_text');
  return {
    prompt: tokenPrices?.prompt ?? price('token', 'input_text') ?? '0',
    completion: tokenPrices?.completion ?? price('token', 'output_text', 'output_image', 'output_audio') ?? '0',
    image: price('image', 'output_image') ?? '0',
    ...(inputCharacter === undefined ? {} : { inputCharacter }),
  };
}
