import type { Config } from './config/config.js';
import { AdapterRegistry } from './inference/adapter-registry.js';
import { builtInAdapters } from './providers/built-in-adapters.js';
import { guardedReferences, networkAdapters } from './providers/network-adapters.js';

interface LiveAdapters {
  readonly registry: AdapterRegistry;
  /** Releases the threads and connections of the adapters. */
  close(): Promise<void>;
}

/** Creates the adapters of this service. */
export function liveAdapters(config: Config): LiveAdapters {
  const references = guardedReferences(config.values.ALLOW_PRIVATE_REFERENCE_HOSTS);
  const sets = [
    builtInAdapters(),
    networkAdapters(config.values.UPSTREAM_TIMEOUT_MS, (provider) => config.provider(provider).baseUrl, references),
  ];
  return {
    registry: new AdapterRegistry(
      {
        speech: sets.flatMap((set) => set.speech),
        image: sets.flatMap((set) => set.image),
        text: sets.flatMap((set) => set.text),
        embeddings: sets.flatMap((set) => set.embeddings),
        transcription: sets.flatMap((set) => set.transcription),
        rerank: sets.flatMap((set) => set.rerank),
      },
      references,
    ),
    close: async () => {
      await Promise.all([...sets, references].map((part) => part.close()));
    },
  };
}
