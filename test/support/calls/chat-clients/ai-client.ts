import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import type { ChatClient, ClientAccess } from './chat-client.js';
import { aiSdkClient } from './ai-sdk-client.js';

/** `ai` with `@openrouter/ai-sdk-provider`. */
export function aiClient({ baseUrl, apiKey }: ClientAccess): ChatClient {
  const provider = createOpenRouter({ baseURL: baseUrl, apiKey });
  return aiSdkClient(
    ({ model, effort }) => ({ model: provider.chat(model, effort && { reasoning: { effort } }) }),
    ({ providerMetadata }) => (providerMetadata!['openrouter'] as { usage: { cost: number } }).usage.cost,
  );
}
