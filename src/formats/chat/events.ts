import { billedCost, type BilledCost, type TokenPrice } from '../billed-cost.js';
import type { TokenUsage } from '../usage.js';

/** The members that identify a response to its caller. */
export interface ChatIdentity {
  /** Our generation id. */
  readonly id: string;
  /** Our slug of the model that served it. */
  readonly model: string;
  /** The provider's display name. */
  readonly provider: string;
  /** Unix seconds, used if the vendor sends none. */
  readonly created: number;
}

/** `usage` of a response: the billed usage. */
export interface ChatUsage extends BilledCost {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: {
    readonly cached_tokens: number;
    readonly cache_write_tokens: number;
    readonly audio_tokens: number;
  };
  readonly completion_tokens_details: {
    readonly reasoning_tokens: number;
    readonly audio_tokens: number;
    readonly image_tokens: number;
  };
}

export function chatUsage(usage: TokenUsage, price: TokenPrice, isByok: boolean): ChatUsage {
  return {
    prompt_tokens: usage.prompt,
    completion_tokens: usage.completion,
    total_tokens: usage.prompt + usage.completion,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      cache_write_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
      audio_tokens: usage.inputAudio,
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: usage.outputAudio,
      image_tokens: usage.outputImage,
    },
    ...billedCost(price, isByok),
  };
}

/** `metadata` of an error in a stream. Clients refuse it without `error_type`. */
export interface ChatErrorMetadata {
  readonly error_type: string;
  readonly provider_code?: string;
}

/** The members at the start of every chunk. */
export const chunkHead = ({ id, model, provider }: ChatIdentity, created: number) =>
  ({ id, object: 'chat.completion.chunk', created, model, provider }) as const;

const event = (chunk: object): Buffer => Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`);

export const DONE = Buffer.from('data: [DONE]\n\n');

/** The last chunk of a stream, without choices. */
export const usageEvent = (identity: ChatIdentity, usage: ChatUsage, serviceTier?: string): Buffer =>
  event({
    ...chunkHead(identity, identity.created),
    ...(serviceTier === undefined ? {} : { service_tier: serviceTier }),
    choices: [],
    usage,
  });

/** The last chunk of a stream that failed after it had started; `code` is the HTTP status of the failure. */
export const errorEvent = (
  identity: ChatIdentity,
  error: { readonly code: number; readonly message: string; readonly metadata: ChatErrorMetadata },
): Buffer =>
  event({
    ...chunkHead(identity, identity.created),
    error,
    choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error', native_finish_reason: null }],
  });
