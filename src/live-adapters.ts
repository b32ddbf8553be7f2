import type { Config } from './config/config.js';
import { AdapterRegistry } from './inference/adapter-registry.js';
import { builtInAdapters } from './providers/built-in-adapters.js';
import { guardedReferences, vendorAdapters } from './providers/vendor-adapters.js';

export interface LiveAdapters {
  readonly registry: AdapterRegistry;
  /** Frees what adapters hold: threads, connections. */
  close(): Promise<void>;
}

/** The adapters of this service, explicitly. */
export function liveAdapters(config: Config): LiveAdapters {
  const references = guardedReferences(config.values.ALLOW_PRIVATE_REFERENCE_HOSTS);
  const sets = [
    builtInAdapters(),
    vendorAdapters(config.values.UPSTREAM_TIMEOUT_MS, (provider) => config.provider(provider).baseUrl),
  ];
  return {
    registry: new AdapterRegistry(
      sets.flatMap((set) => set.speech),
      sets.flatMap((set) => set.image),
      references,
    ),
    close: async () => {
      await Promise.all([...sets, references].map((part) => part.close()));
    },
  };
}
