import { readdirSync, readFileSync } from 'node:fs';
import type { z } from 'zod';
import type { Benchmarks } from '../benchmark.js';
import { BENCHMARK_SETS } from '../benchmarks/read-benchmarks.js';
import type { Layer } from '../entries/compose-catalogue.js';
import type { CompositionRules } from '../entries/compose-model.js';
import { EntryFault } from '../entries/entry-fault.js';
import { SHIPPED } from '../entries/entry.js';
import { aText, keyed, listOf, objectOf, read as readAs, type EntryOf } from '../entries/schema.js';
import { searchPriceRules, textAdapterRules, textLimitsRules } from '../entries/text-rules.js';

/** `others`: the adapter for capabilities other than chat. */
const aReach = objectOf({ adapter: aText, package: aText.optional(), others: aText.optional() });
const FOLDER = new URL('./', import.meta.url);

/** The adapter of each format that an own provider may have. */
const ownFormats = objectOf({ chat: aReach, responses: aReach, messages: aReach, gemini: aReach });

interface ShippedData {
  /** Facts of models and vendors, then manual additions: adapters, prices, voices. */
  readonly layers: readonly Layer[];
  readonly rules: CompositionRules;
  /** A dated snapshot of published scores. */
  readonly benchmarks: Benchmarks;
  readonly ownFormats: EntryOf<typeof ownFormats>;
}

let read: ShippedData | undefined;

/** The catalogue that comes with this version of the service, read from its files once. */
export function shippedData(): ShippedData {
  read ??= {
    layers: [
      { models: modelsOf('models/'), providers: fileAs(listOf(SHIPPED.provider), 'providers.json') },
      { models: modelsOf('own/'), providers: fileAs(listOf(SHIPPED.provider), 'own-providers.json') },
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
      index: fileAs(BENCHMARK_SETS.index, 'benchmarks/index-source.json'),
      arena: fileAs(BENCHMARK_SETS.arena, 'benchmarks/arena-source.json'),
    },
    ownFormats: fileAs(ownFormats, 'own-formats.json'),
  };
  return read;
}

function modelsOf(folder: string): Layer['models'] {
  const names = readdirSync(new URL(folder, FOLDER))
    .filter((name) => name.endsWith('.json'))
    .toSorted();
  return names.flatMap((name) => fileAs(listOf(SHIPPED.model), `${folder}${name}`));
}

/** Reads a shipped file. A failure is a defect of this version, and the message is for its developer. */
function fileAs<S extends z.ZodType>(schema: S, name: string): EntryOf<S> {
  const value: unknown = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
  try {
    return readAs(schema, value);
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
