import { nanoToUsd } from '../../kernel/money.js';
import type { TokenPrice } from './token-price.js';

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
