import { billedCost } from '../billed-cost.js';
import type { ResponseHead, TextBill } from '../client-format.js';
import { failureInStream } from '../stream-failure.js';

/** `usage` of a response: the billed usage. */
export function chatUsage({ usage, price, isByok }: TextBill): object {
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

/** The members at the start of every chunk. */
export const chunkHead = ({ id, model, provider, created }: ResponseHead) =>
  ({ id, object: 'chat.completion.chunk', created, model, provider }) as const;

export const chunkEvent = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`;

export const DONE = 'data: [DONE]\n\n';

/** The end of a stream: a chunk without choices, with the usage. */
export const closing = (head: ResponseHead, usage: object, serviceTier: string | undefined): Uint8Array =>
  ending({ ...chunkHead(head), service_tier: serviceTier, choices: [], usage });

/** The end of a stream that failed. */
export const failing = (head: ResponseHead, error: unknown): Uint8Array =>
  ending({
    ...chunkHead(head),
    error: chatError(error),
    choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error', native_finish_reason: null }],
  });

const ending = (chunk: object): Uint8Array => Buffer.from(chunkEvent(chunk) + DONE);

/** The error object of a failed stream. Clients refuse it without `error_type`. */
export function chatError(thrown: unknown): object {
  const { status, message, errorType, providerCode } = failureInStream(thrown);
  return { code: status, message, metadata: { error_type: errorType, provider_code: providerCode } };
}
