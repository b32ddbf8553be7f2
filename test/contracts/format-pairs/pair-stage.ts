import { CHAT_FORMAT } from '../../../src/formats/chat/format.js';
import { MESSAGES_FORMAT } from '../../../src/formats/messages/format.js';
import { RESPONSES_FORMAT } from '../../../src/formats/responses/format.js';
import type { ClientFormat } from '../../../src/formats/client-format.js';
import { SecretValue } from '../../../src/kernel/secret-value.js';
import { MessagesEndpoint } from '../../../src/providers/adapters/ai-sdk/messages-endpoint.js';
import { SdkCalls } from '../../../src/providers/adapters/ai-sdk/sdk-calls.js';
import { SdkTextAdapter } from '../../../src/providers/adapters/ai-sdk/sdk-text.adapter.js';
import { CompatibleEndpoint } from '../../../src/providers/adapters/openai-compatible/compatible-endpoint.js';
import { CompatibleTextAdapter } from '../../../src/providers/adapters/openai-compatible/compatible-text.adapter.js';
import type { TextAdapter } from '../../../src/providers/ports/text-adapter.port.js';
import type { ConversationResponse, TextFormat, VendorFormat, WireResponse } from '../../../src/formats/vendor-text.js';
import { VendorClient } from '../../../src/providers/wire/vendor-client.js';
import { VendorFetch } from '../../../src/providers/wire/vendor-fetch.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../../support/vendors/scripted-chat-vendor.js';

type Json = Readonly<Record<string, unknown>>;

export const CLIENTS: Readonly<Record<TextFormat, ClientFormat>> = {
  chat: CHAT_FORMAT,
  responses: RESPONSES_FORMAT,
  messages: MESSAGES_FORMAT,
};
export const CLIENT_FORMATS = Object.keys(CLIENTS) as readonly TextFormat[];

/** A model for each format, at a vendor that serves it in that format. */
const ENDPOINTS = {
  chat: { provider: 'openrouter', upstreamModel: 'vendor-model' },
  responses: { provider: 'openai', upstreamModel: 'gpt-5-codex' },
  messages: { provider: 'anthropic', package: '@ai-sdk/anthropic', upstreamModel: 'claude-sonnet-4-5' },
} as const;
const DEFAULT_BOUND_TOKENS = 4_096;

export interface PairStage {
  readonly vendor: ScriptedChatVendor;
  /** Sends a body of the client's format to a vendor of the given format, like the gateway. */
  send(client: TextFormat, vendor: VendorFormat, body: Json): Promise<SentPair>;
  close(): Promise<void>;
}

/** The vendor's response, in the client's own format or in the canonical form. */
export type SentPair = { readonly wire: WireResponse } | { readonly conversation: ConversationResponse };

export async function startPairStage(): Promise<PairStage> {
  const vendor = await startScriptedChatVendor();
  const client = new VendorClient(5_000);
  const fetch = new VendorFetch(5_000);
  const baseUrlOf = (): string => vendor.baseUrl;
  const calls = new SdkCalls(fetch, baseUrlOf);
  const compatible = new CompatibleTextAdapter(new CompatibleEndpoint(client, baseUrlOf));
  const packages = new SdkTextAdapter(calls, undefined, new MessagesEndpoint(client, calls));
  const adapters: Readonly<Record<VendorFormat, TextAdapter>> = {
    chat: compatible,
    responses: compatible,
    messages: packages,
  };
  return {
    vendor,
    send: async (from, to, body) => {
      const { max_tokens: bound, max_output_tokens: other } = body as {
        max_tokens?: number;
        max_output_tokens?: number;
      };
      const call = {
        ...ENDPOINTS[to],
        credential: new SecretValue('vendor-key'),
        options: {},
        signal: new AbortController().signal,
        streamed: body['stream'] === true,
        maxOutputTokens: bound ?? other ?? DEFAULT_BOUND_TOKENS,
        endUser: 'hash',
      };
      const bytes = Buffer.from(JSON.stringify(body));
      if (from === to)
        return { wire: await adapters[to].send!({ ...call, request: { format: { name: to }, bytes, members: body } }) };
      const conversation = CLIENTS[from].readConversation(body);
      return { conversation: await adapters[to].converse!({ ...call, conversation }) };
    },
    close: async () => {
      await client.close();
      await fetch.close();
      await vendor.close();
    },
  };
}
