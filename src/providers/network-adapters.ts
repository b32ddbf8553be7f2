import type { AdapterSet } from './built-in-adapters.js';
import { MessagesEndpoint } from './adapters/ai-sdk/messages-endpoint.js';
import { SdkCalls } from './adapters/ai-sdk/sdk-calls.js';
import { SdkEmbeddingAdapter } from './adapters/ai-sdk/sdk-embedding.adapter.js';
import { SdkImageAdapter } from './adapters/ai-sdk/sdk-image.adapter.js';
import { SdkSpeechAdapter } from './adapters/ai-sdk/sdk-speech.adapter.js';
import { SdkTextAdapter } from './adapters/ai-sdk/sdk-text.adapter.js';
import { ListedRerankAdapter } from './adapters/rerank/listed-rerank.adapter.js';
import { CompatibleEmbeddingAdapter } from './adapters/openai-compatible/compatible-embedding.adapter.js';
import { CompatibleEndpoint } from './adapters/openai-compatible/compatible-endpoint.js';
import type { FindBaseUrl } from './ports/endpoint-call.js';
import { CompatibleImageAdapter } from './adapters/openai-compatible/compatible-image.adapter.js';
import { CompatibleSpeechAdapter } from './adapters/openai-compatible/compatible-speech.adapter.js';
import { CompatibleTextAdapter, ResponsesTextAdapter } from './adapters/openai-compatible/compatible-text.adapter.js';
import { CompatibleTranscriptionAdapter } from './adapters/openai-compatible/compatible-transcription.adapter.js';
import type { ReferenceSource } from './ports/reference-source.port.js';
import { GuardedReferences } from './wire/guarded-references.js';
import { VendorFetch } from './wire/vendor-fetch.js';
import { VendorClient } from './wire/vendor-client.js';

/**
 * The adapters for vendors, which share their pools of connections. `timeoutMs` = the maximum time without a byte from
 * the vendor. `references` fetches the media of conversations for vendors that do not fetch URLs. If absent, URLs for
 * these vendors are refused.
 */
export function networkAdapters(timeoutMs: number, baseUrlOf: FindBaseUrl, references?: ReferenceSource): AdapterSet {
  const client = new VendorClient(timeoutMs);
  const endpoint = new CompatibleEndpoint(client, baseUrlOf);
  const fetch = new VendorFetch(timeoutMs);
  const calls = new SdkCalls(fetch, baseUrlOf);
  return {
    speech: [new CompatibleSpeechAdapter(endpoint), new SdkSpeechAdapter(calls)],
    image: [new CompatibleImageAdapter(endpoint), new SdkImageAdapter(calls)],
    text: [
      new CompatibleTextAdapter(endpoint, references),
      new ResponsesTextAdapter(endpoint, references),
      new SdkTextAdapter(calls, references, new MessagesEndpoint(client, calls)),
    ],
    embeddings: [new CompatibleEmbeddingAdapter(endpoint), new SdkEmbeddingAdapter(calls)],
    transcription: [new CompatibleTranscriptionAdapter(endpoint)],
    rerank: [new ListedRerankAdapter(client, baseUrlOf)],
    close: async () => {
      await Promise.all([client.close(), fetch.close()]);
    },
  };
}

/** A source that fetches pictures and documents from public addresses, and from `privateHosts` at any address. */
export const guardedReferences = (privateHosts: readonly string[]): GuardedReferences =>
  new GuardedReferences(privateHosts);
