import type { TokenPriceList } from '../../catalogue/token-price-list.js';
import type { BillLine } from '../../kernel/call-facts.js';
import { sum, times, toNano, type Decimal, type Nano } from '../../kernel/money.js';
import type { TokenPrice } from '../../formats/billed-cost.js';
import { ratesAt } from './token-rates.js';
import type { TokenUsage } from '../../formats/usage.js';

/**
 * The price of a call at an endpoint's prices. A class without a price costs the same as another class (cache reads,
 * cache writes and audio input as the prompt; one-hour writes as five-minute writes; reasoning, audio and image output
 * as the completion). Pictures, searches and requests without a price are free. `at`: the time of the reservation in
 * Unix milliseconds.
 *
 * Throws RangeError for a price list that `ratesAt` refuses.
 */
export function priceTokens(list: TokenPriceList, usage: TokenUsage, at: number): TokenPrice {
  const rates = ratesAt(list, usage.prompt, at);
  const written = usage.cacheWrite5m + usage.cacheWrite1h;
  const plainPrompt = usage.prompt - usage.cacheRead - written - usage.inputAudio;
  const plainCompletion = usage.completion - usage.reasoning - usage.outputAudio - usage.outputImage;
  const lines: BillLine[] = [];
  const amounts: Decimal[] = [];
  // Skips zeros, because most calls pay for two or three of the classes.
  const add = (item: string, price: Decimal, quantity: number): void => {
    if (quantity <= 0 || price.units === 0n) return;
    lines.push({ item, quantity, price });
    amounts.push(times(price, BigInt(quantity)));
  };
  add('prompt', rates.prompt, plainPrompt);
  add('cache_read', rates.cacheRead, usage.cacheRead);
  add('cache_write', rates.cacheWrite, usage.cacheWrite5m);
  add('cache_write_1h', rates.cacheWrite1h, usage.cacheWrite1h);
  add('audio', rates.inputAudio, usage.inputAudio);
  add('image', rates.inputImage, usage.inputImages);
  add('request', rates.request, usage.requests);
  add('web_search', rates.webSearch, usage.webSearches);
  const promptPrice = toNano(sum(amounts));
  add('completion', rates.completion, plainCompletion);
  add('reasoning', rates.reasoning, usage.reasoning);
  add('audio_output', rates.outputAudio, usage.outputAudio);
  add('image_output', rates.outputImage, usage.outputImage);
  const price = toNano(sum(amounts));
  return {
    price,
    promptPrice,
    completionPrice: price - promptPrice,
    lines,
    cacheDiscount: cacheDiscountOf(rates, usage),
    inconsistent: [
      ...(plainPrompt < 0 ? (['prompt'] as const) : []),
      ...(plainCompletion < 0 ? (['completion'] as const) : []),
    ],
  };
}

function cacheDiscountOf(rates: ReturnType<typeof ratesAt>, usage: TokenUsage): Nano {
  if (usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h === 0) return 0n;
  const uncached = [times(rates.prompt, BigInt(usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h))];
  const cached = [
    times(rates.cacheRead, BigInt(usage.cacheRead)),
    times(rates.cacheWrite, BigInt(usage.cacheWrite5m)),
    times(rates.cacheWrite1h, BigInt(usage.cacheWrite1h)),
  ];
  return toNano(sum([...uncached, ...cached.map(({ units, scale }) => ({ units: -units, scale }))]));
}
