import type { BillLine } from '../kernel/call-facts.js';
import { nanoToUsd, type Nano } from '../kernel/money.js';

/** The price of a call by its tokens. */
export interface TokenPrice {
  /** The exact decimal sum, rounded half-up to the nano-dollar once. */
  readonly price: Nano;
  /** The part of what went in: prompt, cache, audio, pictures, searches and the request itself. */
  readonly promptPrice: Nano;
  /** The rest, so that both parts add up to the price. */
  readonly completionPrice: Nano;
  /** The classes with a count and a price above 0; absent where the price is not a sum of them. */
  readonly lines?: readonly BillLine[];
  /** What caching saved in USD; negative where writing to the cache cost more than reading saved. */
  readonly cacheDiscount: Nano;
  /** The totals that are less than the classes they should contain: their remainder was priced as 0. */
  readonly inconsistent: readonly ('prompt' | 'completion')[];
}

/** What a call costs, in the usage of its response. */
export interface BilledCost {
  /** USD that the credits lose. */
  readonly cost: number;
  readonly is_byok: boolean;
  readonly cost_details: {
    /** Null on the platform's credential. */
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
