import { GatewayError } from '../../../src/kernel/errors/errors.js';
import { SecretValue } from '../../../src/kernel/secret-value.js';
import { ChatRelay, type ChatRelayTerms } from '../../../src/formats/chat/relay.js';
import { CompatibleEndpoint } from '../../../src/providers/adapters/openai-compatible/compatible-endpoint.js';
import * as embedding from '../../../src/providers/adapters/openai-compatible/compatible-embedding.adapter.js';
import { CompatibleTextAdapter } from '../../../src/providers/adapters/openai-compatible/compatible-text.adapter.js';
import type { WireCall } from '../../../src/providers/ports/text-adapter.port.js';
import { VendorClient } from '../../../src/providers/wire/vendor-client.js';
import { VENDOR_KEY } from './odd-chat-streams.js';
import { chunksOf, TERMS } from '../calls/relayed-chat.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from './scripted-chat-vendor.js';

export { VENDOR_KEY } from './odd-chat-streams.js';

export interface ChatStage {
  readonly vendor: ScriptedChatVendor;
  readonly text: CompatibleTextAdapter;
  readonly embeddings: embedding.CompatibleEmbeddingAdapter;
  close(): Promise<void>;
}

/** The adapters of this protocol with a scripted vendor. */
export async function startChatStage(timeoutMs = 30_000): Promise<ChatStage> {
  const vendor = await startScriptedChatVendor();
  const client = new VendorClient(timeoutMs);
  const endpoint = new CompatibleEndpoint(client, () => vendor.baseUrl);
  return {
    vendor,
    text: new CompatibleTextAdapter(endpoint),
    embeddings: new embedding.CompatibleEmbeddingAdapter(endpoint),
    close: async () => {
      await client.close();
      await vendor.close();
    },
  };
}

export function chatCall(body: Readonly<Record<string, unknown>>, more: Partial<WireCall> = {}): WireCall {
  return {
    upstreamModel: 'vendor-model',
    provider: 'openai',
    credential: new SecretValue(VENDOR_KEY),
    options: {},
    signal: new AbortController().signal,
    streamed: body['stream'] === true,
    request: { format: { name: 'chat' }, bytes: Buffer.from(JSON.stringify(body)), members: body },
    ...more,
  };
}

export interface StreamedChat {
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly chunks: readonly any[];
  readonly relay: ChatRelay;
  /** The failure of the relay or of the connection. */
  readonly failure: GatewayError | undefined;
}

/** A stream as received by a caller, without the final chunks of usage and [DONE]. */
export async function streamChat({ text }: ChatStage, terms: Partial<ChatRelayTerms> = {}): Promise<StreamedChat> {
  const response = await text.send(
    chatCall({ model: 'a/b', messages: [{ role: 'user', content: 'hi' }], stream: true }),
  );
  if (!response.isStream) throw new Error('the response is not a stream');
  const relay = new ChatRelay({ ...TERMS, failure: (error) => response.failure(error), ...terms });
  const events = response.events();
  const sent: Buffer[] = [];
  let failure: GatewayError | undefined;
  try {
    for (let step = await events.next(); !step.done; step = await events.next()) {
      sent.push(relay.push(step.value));
      if (relay.isDone || relay.failure) break;
    }
    sent.push(relay.end());
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    failure = error;
  }
  if (relay.isDone) response.discard();
  else await events.return!();
  return { chunks: chunksOf(Buffer.concat(sent)), relay, failure: failure ?? relay.failure };
}
