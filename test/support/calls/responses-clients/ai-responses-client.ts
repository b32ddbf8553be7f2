import { createOpenAI } from '@ai-sdk/openai';
import { aiSdkClient } from '../chat-clients/ai-sdk-client.js';
import type { ChatClient, ClientAccess } from '../chat-clients/chat-client.js';

/** `ai` with the default model of `@ai-sdk/openai`. */
export function aiResponsesClient({ baseUrl, apiKey }: ClientAccess): ChatClient {
  const provider = createOpenAI({ baseURL: baseUrl, apiKey });
  return aiSdkClient(
    ({ model, effort }) => ({
      model: provider(model),
      // Without `store: false`, the package refers to items by id, as if they were stored.
      providerOptions: {
        openai: { store: false, ...(effort ? { reasoningEffort: effort, forceReasoning: true } : {}) },
      },
    }),
    ({ usage }) => (usage.raw as unknown as { readonly cost: number }).cost,
  );
}
