import { AdapterRegistry } from './inference/adapter-registry.js';
import { builtInAdapters } from './providers/built-in-adapters.js';

export interface LiveAdapters {
  readonly registry: AdapterRegistry;
  /** Frees what adapters hold: threads, connections. */
  close(): Promise<void>;
}

/** The adapters of this service, explicitly. */
export function liveAdapters(): LiveAdapters {
  const sets = [builtInAdapters()];
  return {
    registry: new AdapterRegistry(
      sets.flatMap((set) => set.speech),
      sets.flatMap((set) => set.image),
    ),
    close: async () => {
      await Promise.all(sets.map((set) => set.close()));
    },
  };
}
