import { aiAnthropicClient } from './ai-anthropic-client.js';
import { anthropicClient } from './anthropic-client.js';
import type { ChatClient, ClientAccess } from './chat-client.js';

/** The client packages of `/messages` that must work unmodified, by name. */
export const MESSAGES_CLIENTS: Readonly<Record<string, (access: ClientAccess) => ChatClient>> = {
  '@anthropic-ai/sdk': anthropicClient,
  'ai with @ai-sdk/anthropic': aiAnthropicClient,
};
