import { messagesErrorType } from './errors.js';
import type { FinishReason } from '../conversation.js';
import { billedCost } from '../billed-cost.js';
import type { ResponseHead, TextBill } from '../client-format.js';
import { failureInStream } from '../stream-failure.js';

/** An event with its name in a separate line, because clients of this format ignore events without a name. */
export const eventOf = (type: string, json: string): string => `event: ${type}\ndata: ${json}\n\n`;

export const stepEvent = (step: { readonly type: string; readonly [member: string]: unknown }): string =>
  eventOf(step.type, JSON.stringify(step));

export const MESSAGE_STOP = stepEvent({ type: 'message_stop' });

/** `usage` of a response: the billed usage. */
export function messagesUsage({ usage, price, isByok }: TextBill): object {
  const { cacheRead, cacheWrite5m, cacheWrite1h, webSearches, reasoning } = usage;
  const written = cacheWrite5m + cacheWrite1h;
  return {
    input_tokens: Math.max(0, usage.prompt - cacheRead - written),
    output_tokens: usage.completion,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cacheRead,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite5m, ephemeral_1h_input_tokens: cacheWrite1h },
    ...(reasoning > 0 ? { output_tokens_details: { thinking_tokens: reasoning } } : {}),
    ...(webSearches > 0 ? { server_tool_use: { web_search_requests: webSearches } } : {}),
    ...billedCost(price, isByok),
  };
}

/** The usage at the start of a response. The counts follow at its end. */
const NO_COUNTS = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

/** The message in the first event of a response. */
export const emptyMessage = ({ id, model, provider }: ResponseHead): object => ({
  id,
  type: 'message',
  role: 'assistant',
  model,
  provider,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: NO_COUNTS,
});

const STOP_REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
  error: 'end_turn',
};
/** Stop reasons of this format that are more precise than the canonical reason. */
const PRECISE_STOP_REASONS: ReadonlySet<string | null> = new Set([
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
]);

/** The stop reason of this format for a response in another format. */
export const stopReasonOf = (reason: FinishReason, native: string | null | undefined): string =>
  native && PRECISE_STOP_REASONS.has(native) && !(reason === 'tool_calls' && native === 'end_turn')
    ? native
    : STOP_REASONS[reason];

/** The last event of a failed stream. `requestId`: the generation id, if the call has one. */
export function errorEvent(requestId: string, thrown: unknown): Buffer {
  const { kind, status, message, errorType, providerCode } = failureInStream(thrown);
  const error = {
    type: messagesErrorType(kind),
    message,
    code: status,
    error_type: errorType,
    provider_code: providerCode,
  };
  return Buffer.from(stepEvent({ type: 'error', error, request_id: requestId || null }));
}
