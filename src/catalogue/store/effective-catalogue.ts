import type { z } from 'zod';
import type { Benchmarks } from '../benchmark.js';
import { BENCHMARK_SETS } from '../benchmarks/read-benchmarks.js';
import { CatalogueSnapshot } from '../catalogue-snapshot.js';
import { shippedData } from '../data/shipped.js';
import { composeCatalogue, type Layer } from '../entries/compose-catalogue.js';
import { EntryFault } from '../entries/entry-fault.js';
import { STORED } from '../entries/entry.js';
import { read, type EntryOf } from '../entries/schema.js';
import { OwnCatalogue } from '../own/own-catalogue.js';
import type { StoredCatalogue } from './catalogue-store.js';

/** The valid entries of the imports; calls `onFault` for entries that this version cannot read. */
export function importedLayer(stored: StoredCatalogue, onFault: (fault: EntryFault) => void): Layer {
  return {
    models: readable(stored.models, STORED.model, onFault),
    providers: readable(stored.providers, STORED.provider, onFault),
  };
}

/** The shipped catalogue, overridden by the imports, with own providers and models. */
export function effectiveCatalogue(stored: StoredCatalogue, onFault: (fault: EntryFault) => void): CatalogueSnapshot {
  const { layers, rules, benchmarks } = shippedData();
  const own = new OwnCatalogue(stored.own);
  const ownLayer = {
    models: readable(own.models, STORED.model, onFault),
    providers: readable(own.providers, STORED.provider, onFault),
  };
  const others = [...layers, importedLayer(stored, onFault)].map((layer) => own.without(layer));
  const composed = composeCatalogue([...others, ownLayer], rules, onFault);
  return new CatalogueSnapshot({
    models: composed.models,
    providers: composed.providers.map((provider) => own.marked(provider)),
    benchmarks: effectiveBenchmarks(stored, benchmarks, onFault),
  });
}

/** An imported set replaces the shipped set of the same source. */
function effectiveBenchmarks(
  { benchmarks }: StoredCatalogue,
  shipped: Benchmarks,
  onFault: (fault: EntryFault) => void,
): Benchmarks {
  const [index] = readable([benchmarks['index-source']], BENCHMARK_SETS.index, onFault);
  const [arena] = readable([benchmarks['arena-source']], BENCHMARK_SETS.arena, onFault);
  return { index: index ?? shipped.index, arena: arena ?? shipped.arena };
}

function readable<S extends z.ZodType>(
  rows: readonly unknown[],
  schema: S,
  onFault: (fault: EntryFault) => void,
): EntryOf<S>[] {
  return rows.flatMap((row) => {
    if (row === undefined) return [];
    try {
      return [read(schema, row)];
    } catch (error) {
      if (!(error instanceof EntryFault)) throw error;
      onFault(error);
      return [];
    }
  });
}
