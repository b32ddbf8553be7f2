import { aiClient } from './ai-client.js';
import type { ChatClient, ClientAccess } from './chat-client.js';
import { langChainOpenAiClient, langChainOpenRouterClient } from './langchain-clients.js';
import { openAiClient } from './openai-client.js';
import { openRouterSdkClient } from './openrouter-sdk-client.js';

/** The client packages that must work unmodified, by name. */
export const CHAT_CLIENTS: Readonly<Record<string, (access: ClientAccess) => ChatClient>> = {
  openai: openAiClient,
  '@openrouter/sdk': openRouterSdkClient,
  'ai with @openrouter/ai-sdk-provider': aiClient,
  '@langchain/openai': langChainOpenAiClient,
  '@langchain/openrouter': langChainOpenRouterClient,
};
