import { AdapterRegistry } from './inference/adapter-registry.js';

export interface LiveAdapters {
  readonly registry: AdapterRegistry;
  /** Frees what adapters hold: threads, connections. */
  close(): Promise<void>;
}

/** The adapters of this service, explicitly. */
export function liveAdapters(): LiveAdapters {
  return { registry: new AdapterRegistry([], []), close: async () => undefined };
}
