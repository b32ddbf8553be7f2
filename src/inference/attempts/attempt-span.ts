import { GatewayError } from '../../kernel/errors/errors.js';
import { nanoToUsd } from '../../kernel/money.js';
import { currentRequest } from '../../kernel/request-scope.js';
import type { AttemptSpan, SpanEnd } from '../../kernel/request-trace.js';
import { GENAI, OPERATION_OF } from '../../telemetry/genai-names.js';
import { BoundedTexts } from '../content/bounded-texts.js';
import { inputMessages, outputMessages } from '../content/content-messages.js';
import type { Charge, InferenceContext, PlannedEndpoint, Task, TaskResponse } from '../task.js';

/**
 * Maximum size of the prompt of a span, and of its generated texts. Spans stay in memory until they are exported. As
 * JSON, texts of this size are shorter than the maximum length of an attribute.
 */
const MAX_SPAN_TEXT_BYTES = 16_384;

/** The client span of an attempt; undefined if the request is not traced. */
export function startAttemptSpan(
  task: Task<TaskResponse>,
  { endpoint, model }: PlannedEndpoint,
  generationId: string,
  { facts }: InferenceContext,
): AttemptSpan | undefined {
  const trace = currentRequest()?.trace;
  if (!trace) return undefined;
  const operation = OPERATION_OF[task.capability];
  const attributes = {
    [GENAI.operationName]: operation,
    [GENAI.providerName]: endpoint.provider,
    [GENAI.requestModel]: model,
    [GENAI.conversationId]: facts?.sessionId ?? undefined,
    'gatehouse.generation_id': generationId,
    'gatehouse.upstream_model': endpoint.upstreamModel,
  };
  return trace.startAttempt(`${operation} ${model}`, attributes, () => {
    const members = task.promptMembers?.();
    return members && JSON.stringify(inputMessages(members, new BoundedTexts(MAX_SPAN_TEXT_BYTES)));
  });
}

/** The end of the span of the billed attempt. `generatedTexts`: set if the key exports content. */
export const billedSpan = (
  { usage: { tokens }, price, finishReason, facts }: Charge,
  generatedTexts: (() => readonly string[] | undefined) | false | undefined,
): SpanEnd => ({
  output:
    generatedTexts &&
    (() => {
      const texts = generatedTexts();
      return texts && JSON.stringify(outputMessages(texts, finishReason, new BoundedTexts(MAX_SPAN_TEXT_BYTES)));
    }),
  attributes: {
    [GENAI.inputTokens]: tokens.prompt || undefined,
    [GENAI.outputTokens]: tokens.completion || undefined,
    [GENAI.cachedTokens]: tokens.cached || undefined,
    [GENAI.finishReasons]: finishReason && [finishReason],
    [GENAI.responseId]: facts?.upstreamId ?? undefined,
    'gatehouse.price_usd': nanoToUsd(price),
  },
});

/** The end of the span of a failed attempt. Omits the message of the error, because vendors quote the request in it. */
export const failedSpan = (error: unknown): SpanEnd =>
  error instanceof GatewayError
    ? { error: error.kind, attributes: { 'http.response.status_code': error.vendorStatus } }
    : { error: 'internal' };
