import { billedCost } from '../billed-cost.js';
import type { TextBill } from '../client-format.js';

/** `usage` of a response: the billed usage. */
export function responsesUsage({ usage, price, isByok }: TextBill): object {
  const { cost_details: costs, ...cost } = billedCost(price, isByok);
  return {
    input_tokens: usage.prompt,
    input_tokens_details: {
      cached_tokens: usage.cacheRead,
      cache_write_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
    },
    output_tokens: usage.completion,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.prompt + usage.completion,
    ...cost,
    cost_details: {
      upstream_inference_cost: costs.upstream_inference_cost,
      upstream_inference_input_cost: costs.upstream_inference_prompt_cost,
      upstream_inference_output_cost: costs.upstream_inference_completions_cost,
    },
  };
}
