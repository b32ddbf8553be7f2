import type { CatalogueEndpoint } from '../../catalogue/catalogue-model.js';
import { priceOf, type Quantity } from '../../catalogue/price.js';
import { priceOfText } from '../../inference/text-price.js';
import type { BillLine } from '../../kernel/call-facts.js';
import type { Nano } from '../../kernel/money.js';
import type { DemoProfile } from './demo-data.js';
import type { SeededRandom } from './seeded-random.js';

/** The usage of one call. It has the quantities of all capabilities; quantities that do not apply are 0. */
export interface DemoUsage {
  readonly prompt: number;
  readonly completion: number;
  readonly cached: number;
  readonly reasoning: number;
  readonly characters: number;
  readonly seconds: number;
  readonly images: number;
}

/** The place of a call in its session. */
export interface TurnOfSession {
  readonly turn: number;
  readonly turns: number;
}

/** Draws the usage of a call. In a session, the prompt grows with each call, and a part of it is read from a cache. */
export function drawUsage(random: SeededRandom, profile: DemoProfile, { turn, turns }: TurnOfSession): DemoUsage {
  const grown = turns === 1 ? 1 : 0.4 + (1.2 * turn) / turns;
  const prompt = Math.round(random.spread(profile.prompt) * grown);
  const cached = turn > 0 ? Math.round(prompt * (profile.cached ?? 0) * random.between(0.8, 1.1)) : 0;
  const completion = random.spread(profile.completion);
  const reasons = random.chance(profile.reasoning ?? 0);
  return {
    prompt,
    completion,
    cached: Math.min(cached, prompt),
    reasoning: reasons ? Math.round(completion * random.between(0.2, 0.6)) : 0,
    characters: random.spread(profile.characters),
    seconds: random.spread(profile.seconds),
    images: profile.modality === 'image' ? 1 : 0,
  };
}

export interface DemoPrice {
  readonly price: Nano;
  /** Set only for calls of text, as in every bill. */
  readonly lines?: readonly BillLine[];
  readonly cacheDiscount?: Nano;
}

/** The price of a usage at an endpoint, by the same rules as for billed calls. */
export function priceAt(
  { capability, tokenPrices, pricing }: CatalogueEndpoint,
  usage: DemoUsage,
  at: Date,
): DemoPrice {
  if (capability === 'chat' && tokenPrices) {
    const { prompt, completion, reasoning, cached: cacheRead } = usage;
    return priceOfText(tokenPrices, { prompt, completion, reasoning, cacheRead }, at);
  }
  return { price: priceOf(pricing, quantitiesOf(usage)) };
}

/** The quantities of a usage. A quantity without a price line at the endpoint costs nothing. */
const quantitiesOf = ({ prompt, completion, characters, seconds, images }: DemoUsage): Quantity[] => [
  { billable: 'input_text', unit: 'token', amount: prompt },
  { billable: 'input_text', unit: 'character', amount: characters },
  { billable: 'input_text', unit: 'search_unit', amount: prompt + characters + seconds + images === 0 ? 1 : 0 },
  { billable: 'input_audio', unit: 'second', amount: seconds },
  { billable: 'output_image', unit: 'image', amount: images },
  { billable: 'output_image', unit: 'megapixel', amount: images },
  { billable: 'output_image', unit: 'token', amount: images * completion },
];
