import type { AdapterSet } from './built-in-adapters.js';
import { SdkCalls } from './adapters/ai-sdk/sdk-calls.js';
import { SdkImageAdapter } from './adapters/ai-sdk/sdk-image.adapter.js';
import { SdkSpeechAdapter } from './adapters/ai-sdk/sdk-speech.adapter.js';
import { CompatibleEndpoint, type FindBaseUrl } from './adapters/openai-compatible/compatible-endpoint.js';
import { CompatibleImageAdapter } from './adapters/openai-compatible/compatible-image.adapter.js';
import { CompatibleSpeechAdapter } from './adapters/openai-compatible/compatible-speech.adapter.js';
import { GuardedReferences } from './wire/guarded-references.js';
import { VendorFetch } from './wire/vendor-fetch.js';
import { VendorClient } from './wire/vendor-client.js';

/** The adapters that speak to vendors, on one pool of connections. `timeoutMs`: the longest silence of a vendor. */
export function vendorAdapters(timeoutMs: number, baseUrlOf: FindBaseUrl): AdapterSet {
  const client = new VendorClient(timeoutMs);
  const endpoint = new CompatibleEndpoint(client, baseUrlOf);
  const fetch = new VendorFetch(timeoutMs);
  const calls = new SdkCalls(fetch, baseUrlOf);
  return {
    speech: [new CompatibleSpeechAdapter(endpoint), new SdkSpeechAdapter(calls)],
    image: [new CompatibleImageAdapter(endpoint), new SdkImageAdapter(calls)],
    close: async () => {
      await Promise.all([client.close(), fetch.close()]);
    },
  };
}

/** Fetches reference pictures from the public network, and from these hosts wherever they lead. */
export const guardedReferences = (privateHosts: readonly string[]): GuardedReferences =>
  new GuardedReferences(privateHosts);
