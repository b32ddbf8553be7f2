import { createAnthropic } from '@ai-sdk/anthropic';
import { aiSdkClient } from './ai-sdk-client.js';
import type { ChatClient, ClientAccess } from './chat-client.js';

/** For a model with an unknown name, the package limits the output and warns. */
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
          // The package assumes that a model with an unknown name does not support schemas.
          structuredOutputMode: 'outputFormat' as const,
          ...(effort ? { effort, thinking: { type: 'adaptive' as const } } : {}),
        },
      },
    }),
    ({ providerMetadata }) => (providerMetadata!['anthropic'] as unknown as { usage: { cost: number } }).usage.cost,
  );
}
