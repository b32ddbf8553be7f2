import { readdirSync, readFileSync } from 'node:fs';
import type { Benchmarks } from '../benchmark.js';
import { anArenaScore, anIndexScore, benchmarkSet } from '../benchmarks/read-benchmarks.js';
import type { Layer } from '../entries/compose-catalogue.js';
import type { CompositionRules } from '../entries/compose-model.js';
import { EntryFault } from '../entries/entry-fault.js';
import { modelReader, providerReader } from '../entries/read-entry.js';
import { aText, keyed, listOf, type Reader } from '../entries/shape.js';
import { searchPriceRules, textAdapterRules, textLimitsRules } from '../entries/text-rules.js';

const FOLDER = new URL('./', import.meta.url);

interface ShippedData {
  /** Facts of models and vendors, then manual additions: adapters, prices, voices. */
  readonly layers: readonly Layer[];
  readonly rules: CompositionRules;
  /** A dated snapshot of published scores. */
  readonly benchmarks: Benchmarks;
}

let read: ShippedData | undefined;

/** The catalogue that comes with this version of the service, read from its files once. */
export function shippedData(): ShippedData {
  read ??= {
    layers: [
      { models: modelsOf('models/'), providers: fileAs(listOf(providerReader('refuse')), 'providers.json') },
      { models: modelsOf('own/'), providers: fileAs(listOf(providerReader('refuse')), 'own-providers.json') },
    ],
    rules: {
      tokenizers: fileAs(keyed(aText), 'tokenizers.json'),
      text: {
        adapters: fileAs(textAdapterRules, 'text-adapters.json'),
        limits: fileAs(textLimitsRules, 'text-limits.json'),
        searchPrices: fileAs(searchPriceRules, 'search-prices.json'),
      },
    },
    benchmarks: {
      index: fileAs(benchmarkSet(anIndexScore), 'benchmarks/index-source.json'),
      arena: fileAs(benchmarkSet(anArenaScore), 'benchmarks/arena-source.json'),
    },
  };
  return read;
}

function modelsOf(folder: string): Layer['models'] {
  const names = readdirSync(new URL(folder, FOLDER))
    .filter((name) => name.endsWith('.json'))
    .toSorted();
  return names.flatMap((name) => fileAs(listOf(modelReader('refuse')), `${folder}${name}`));
}

/** Reads a shipped file. A failure is a defect of this version, and the message is for its developer. */
function fileAs<T>(reader: Reader<T>, name: string): T {
  const value: unknown = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
  try {
    return reader(value, []);
  } catch (error) {
    if (!(error instanceof EntryFault)) throw error;
    throw new Error(`src/catalogue/data/${name}: ${entryName(value, error)} ${error.message}`, { cause: error });
  }
}

function entryName(value: unknown, fault: EntryFault): string {
  const entry = Array.isArray(value)
    ? (value[Number(fault.path[0])] as { id?: string; slug?: string } | undefined)
    : undefined;
  return entry?.id ?? entry?.slug ?? '';
}
