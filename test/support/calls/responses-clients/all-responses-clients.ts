import type { ChatClient, ClientAccess } from '../chat-clients/chat-client.js';
import { aiResponsesClient } from './ai-responses-client.js';
import { openAiResponsesClient } from './openai-responses-client.js';
import { openRouterResponsesClient } from './openrouter-responses-client.js';

/** The packages that use `/responses` and must work unmodified, by name. */
export const RESPONSES_CLIENTS: Readonly<Record<string, (access: ClientAccess) => ChatClient>> = {
  openai: openAiResponsesClient,
  'ai with @ai-sdk/openai': aiResponsesClient,
  '@openrouter/sdk': openRouterResponsesClient,
};
