import type { Benchmarks } from '../benchmark.js';
import { anArenaScore, anIndexScore, benchmarkSet } from '../benchmarks/read-benchmarks.js';
import { CatalogueSnapshot } from '../catalogue-snapshot.js';
import { shippedData } from '../data/shipped.js';
import { composeCatalogue, type Layer } from '../entries/compose-catalogue.js';
import { EntryFault } from '../entries/entry-fault.js';
import { modelReader, providerReader } from '../entries/read-entry.js';
import type { Reader } from '../entries/shape.js';
import type { StoredCatalogue } from './catalogue-store.js';

const aModel = modelReader('drop');
const aProvider = providerReader('drop');

/** The valid entries of the imports; calls `onFault` for entries that this version cannot read. */
export function importedLayer(stored: StoredCatalogue, onFault: (fault: EntryFault) => void): Layer {
  return {
    models: readable(stored.models, aModel, onFault),
    providers: readable(stored.providers, aProvider, onFault),
  };
}

/** The shipped catalogue, overridden by the imports. */
export function effectiveCatalogue(stored: StoredCatalogue, onFault: (fault: EntryFault) => void): CatalogueSnapshot {
  const { layers, rules, benchmarks } = shippedData();
  return new CatalogueSnapshot({
    ...composeCatalogue([...layers, importedLayer(stored, onFault)], rules, onFault),
    benchmarks: effectiveBenchmarks(stored, benchmarks, onFault),
  });
}

/** An imported set replaces the shipped one of its source. */
function effectiveBenchmarks(
  { benchmarks }: StoredCatalogue,
  shipped: Benchmarks,
  onFault: (fault: EntryFault) => void,
): Benchmarks {
  const [index] = readable([benchmarks['index-source']], benchmarkSet(anIndexScore), onFault);
  const [arena] = readable([benchmarks['arena-source']], benchmarkSet(anArenaScore), onFault);
  return { index: index ?? shipped.index, arena: arena ?? shipped.arena };
}

function readable<T>(rows: readonly unknown[], reader: Reader<T>, onFault: (fault: EntryFault) => void): T[] {
  return rows.flatMap((row) => {
    if (row === undefined) return [];
    try {
      return [reader(row, [])];
    } catch (error) {
      if (!(error instanceof EntryFault)) throw error;
      onFault(error);
      return [];
    }
  });
}
