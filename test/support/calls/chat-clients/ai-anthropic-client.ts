import { createAnthropic } from '@ai-sdk/anthropic';
import { aiSdkClient } from './ai-sdk-client.js';
import type { ChatClient, ClientAccess } from './chat-client.js';

/** The package bounds the output of a model whose name it does not know, and warns. */
const DEFAULT_MAX_TOKENS = 1_000;

/** `ai` with `@ai-sdk/anthropic`. */
export function aiAnthropicClient({ baseUrl, apiKey }: ClientAccess): ChatClient {
  const provider = createAnthropic({ baseURL: baseUrl, apiKey });
  return aiSdkClient(
    ({ model, maxTokens, effort }) => ({
      model: provider(model),
      maxOutputTokens: maxTokens ?? DEFAULT_MAX_TOKENS,
      providerOptions: {
        anthropic: {
          // Of a model whose name it does not know, the package thinks that it has no schemas.
          structuredOutputMode: 'outputFormat' as const,
          ...(effort ? { effort, thinking: { type: 'adaptive' as const } } : {}),
        },
      },
    }),
    ({ providerMetadata }) => (providerMetadata!['anthropic'] as unknown as { usage: { cost: number } }).usage.cost,
  );
}
