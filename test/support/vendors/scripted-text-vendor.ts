import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  readGenerateContentUsage,
  readLanguageModelUsage,
  readMessagesUsage,
} from '../../../src/formats/usage-readers.js';
import { SecretValue } from '../../../src/kernel/secret-value.js';
import { MessagesEndpoint } from '../../../src/providers/adapters/ai-sdk/messages-endpoint.js';
import { SdkCalls } from '../../../src/providers/adapters/ai-sdk/sdk-calls.js';
import { SdkEmbeddingAdapter } from '../../../src/providers/adapters/ai-sdk/sdk-embedding.adapter.js';
import { SDK_VENDORS } from '../../../src/providers/adapters/ai-sdk/sdk-vendors.js';
import { SdkTextAdapter } from '../../../src/providers/adapters/ai-sdk/sdk-text.adapter.js';
import type { Conversation, Delta } from '../../../src/formats/conversation.js';
import type { ConversationCall } from '../../../src/providers/ports/text-adapter.port.js';
import type { ConversationResponse } from '../../../src/formats/vendor-text.js';
import { VendorClient } from '../../../src/providers/wire/vendor-client.js';
import { VendorFetch } from '../../../src/providers/wire/vendor-fetch.js';
import type { TextVendorFormat, VendorTurn } from './text-vendor-formats.js';
import { startVendorServer } from './vendor-server.js';

export interface SeenCall {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

type Reply = (response: ServerResponse, call: SeenCall) => void | Promise<void>;

/** A server that replaces the vendors, and the adapters that call it. */
export async function startScriptedTextVendor(timeoutMs = 2_000, vendors = SDK_VENDORS) {
  const seen: SeenCall[] = [];
  const replies: Reply[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call = { url: request.url!, headers: request.headers, json: JSON.parse(Buffer.concat(chunks).toString()) };
    seen.push(call);
    await replies.shift()!(response, call);
  }

  const server = await startVendorServer(handle);
  const baseUrl = `${server.origin}/v1`;
  const fetch = new VendorFetch(timeoutMs);
  const client = new VendorClient(timeoutMs);
  const calls = new SdkCalls(fetch, () => baseUrl, vendors);

  return {
    seen,
    baseUrl,
    calls,
    text: new SdkTextAdapter(calls, undefined, new MessagesEndpoint(client, calls)),
    embeddings: new SdkEmbeddingAdapter(calls),
    /** Removes the queued replies. */
    clear: () => void (replies.length = 0),
    /** Queues the reply to a call. */
    reply: (reply: Reply) => void replies.push(reply),
    /** Queues a turn, as a stream or a complete response. */
    turn: (format: TextVendorFormat, turn: VendorTurn, streamed: boolean) =>
      void replies.push(async (response) => {
        response.writeHead(200, { 'content-type': streamed ? format.contentType : 'application/json' });
        for (const event of streamed ? format.events(turn) : [JSON.stringify(format.json(turn))]) {
          response.write(event);
          await new Promise((resolve) => setImmediate(resolve));
        }
        response.end();
      }),
    close: async () => {
      await fetch.close();
      await client.close();
      await server.close();
    },
  };
}

export const aConversation = (fields: Partial<Conversation> = {}): Conversation => ({
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  settings: {},
  modalities: [],
  ...fields,
});

export const aTextCall = (
  format: TextVendorFormat,
  conversation: Conversation,
  fields: Partial<ConversationCall> = {},
): ConversationCall => ({
  provider: format.slug,
  package: format.package,
  upstreamModel: format.model,
  credential: new SecretValue(format.credential),
  options: {},
  signal: new AbortController().signal,
  streamed: false,
  maxOutputTokens: 4_096,
  conversation,
  ...fields,
});

export async function deltasOf(response: ConversationResponse): Promise<Delta[]> {
  const deltas: Delta[] = [];
  for (;;) {
    const { done, value } = await response.deltas.next();
    if (done) return deltas;
    deltas.push(...value);
  }
}

/** The token counts of a response, read in its format. */
export const countsOf = (response: ConversationResponse): unknown => {
  const usage = response.usage();
  if (response.usageFormat === 'messages') return readMessagesUsage(usage).counts;
  return (response.usageFormat === 'generate_content' ? readGenerateContentUsage(usage) : readLanguageModelUsage(usage))
    .counts;
};
