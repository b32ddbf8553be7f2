import type { BillLine } from '../kernel/call-facts.js';
import { nanoToUsd, type Nano } from '../kernel/money.js';

/** The price of a call by its tokens. */
export interface TokenPrice {
  /** The exact decimal sum, rounded once, half-up to the nano-dollar. */
  readonly price: Nano;
  /** The part for the input: prompt, cache, audio, pictures, searches and the request itself. */
  readonly promptPrice: Nano;
  /** The rest of the price. */
  readonly completionPrice: Nano;
  /** One line for each class whose count and price are above 0; absent if the price is not a sum of classes. */
  readonly lines?: readonly BillLine[];
  /** The saving by caching; negative if writing to the cache cost more than reading from it saved. */
  readonly cacheDiscount: Nano;
  /** The totals that are less than the sum of their classes. The difference was priced as 0. */
  readonly inconsistent: readonly ('prompt' | 'completion')[];
}

/** The cost of a call in the usage of its response. */
interface BilledCost {
  /** USD charged to the credits. */
  readonly cost: number;
  readonly is_byok: boolean;
  readonly cost_details: {
    /** Null for a call with the platform's credential. */
    readonly upstream_inference_cost: number | null;
    readonly upstream_inference_prompt_cost: number;
    readonly upstream_inference_completions_cost: number;
  };
}

export function billedCost(price: TokenPrice, isByok: boolean): BilledCost {
  const total = nanoToUsd(price.price);
  return {
    cost: isByok ? 0 : total,
    is_byok: isByok,
    cost_details: {
      upstream_inference_cost: isByok ? total : null,
      upstream_inference_prompt_cost: nanoToUsd(price.promptPrice),
      upstream_inference_completions_cost: nanoToUsd(price.completionPrice),
    },
  };
}
