import { nanoToUsd } from '../../kernel/money.js';
import type { TextBill } from '../client-format.js';

/** `usage` of a response: the billed usage. */
export interface ResponsesUsage {
  readonly input_tokens: number;
  readonly input_tokens_details: { readonly cached_tokens: number; readonly cache_write_tokens: number };
  readonly output_tokens: number;
  readonly output_tokens_details: { readonly reasoning_tokens: number };
  readonly total_tokens: number;
  /** USD charged to the credits. */
  readonly cost: number;
  readonly is_byok: boolean;
  readonly cost_details: {
    /** Null on the platform's credential. */
    readonly upstream_inference_cost: number | null;
    readonly upstream_inference_input_cost: number;
    readonly upstream_inference_output_cost: number;
  };
}

export function responsesUsage({ usage, price, isByok }: TextBill): ResponsesUsage {
  const total = nanoToUsd(price.price);
  return {
    input_tokens: usage.prompt,
    input_tokens_details: {
      cached_tokens: usage.cacheRead,
      cache_write_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
    },
    output_tokens: usage.completion,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.prompt + usage.completion,
    cost: isByok ? 0 : total,
    is_byok: isByok,
    cost_details: {
      upstream_inference_cost: isByok ? total : null,
      upstream_inference_input_cost: nanoToUsd(price.promptPrice),
      upstream_inference_output_cost: nanoToUsd(price.completionPrice),
    },
  };
}
