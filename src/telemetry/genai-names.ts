/**
 * Names of OpenTelemetry's conventions for generative AI. Only this file contains them, because the conventions are
 * still changing. Their Prometheus names have underscores instead of dots.
 */
export const GENAI = {
  operationName: 'gen_ai.operation.name',
  providerName: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  tokenType: 'gen_ai.token.type',
  conversationId: 'gen_ai.conversation.id',
  responseId: 'gen_ai.response.id',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cachedTokens: 'gen_ai.usage.cache_read.input_tokens',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  operationDuration: 'gen_ai.client.operation.duration',
  tokenUsage: 'gen_ai.client.token.usage',
  errorType: 'error.type',
} as const;

/** The operation of each modality. The conventions define only the first two. */
export const OPERATION_OF = {
  chat: 'chat',
  embeddings: 'embeddings',
  image: 'image_generation',
  speech: 'speech_generation',
  transcription: 'transcription',
  rerank: 'rerank',
} as const;

export const prometheusName = (name: string): string => name.replaceAll('.', '_');

/** Buckets of the conventions, in seconds: doubling from 0.01. */
export const DURATION_BOUNDS_S = Array.from({ length: 14 }, (_, at) => (2 ** at * 10) / 1000);
/** Buckets of the conventions: powers of 4 from 1. */
export const TOKEN_BOUNDS = Array.from({ length: 14 }, (_, at) => 4 ** at);
