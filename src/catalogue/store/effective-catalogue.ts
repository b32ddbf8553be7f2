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

/** What was imported, as far as this version of the service understands it; `onFault` hears of the rest. */
export function importedLayer(stored: StoredCatalogue, onFault: (fault: EntryFault) => void): Layer {
  return {
    models: understood(stored.models, aModel, onFault),
    providers: understood(stored.providers, aProvider, onFault),
  };
}

/** What ships with this version, with what was imported laid over it. */
export function effectiveCatalogue(stored: StoredCatalogue, onFault: (fault: EntryFault) => void): CatalogueSnapshot {
  const { layers, tokenizers, benchmarks } = shippedData();
  return new CatalogueSnapshot({
    ...composeCatalogue([...layers, importedLayer(stored, onFault)], tokenizers, onFault),
    benchmarks: effectiveBenchmarks(stored, benchmarks, onFault),
  });
}

/** An imported set stands in the place of the shipped one of its source. */
function effectiveBenchmarks(
  { benchmarks }: StoredCatalogue,
  shipped: Benchmarks,
  onFault: (fault: EntryFault) => void,
): Benchmarks {
  const [index] = understood([benchmarks['index-source']], benchmarkSet(anIndexScore), onFault);
  const [arena] = understood([benchmarks['arena-source']], benchmarkSet(anArenaScore), onFault);
  return { index: index ?? shipped.index, arena: arena ?? shipped.arena };
}

function understood<T>(rows: readonly unknown[], reader: Reader<T>, onFault: (fault: EntryFault) => void): T[] {
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
