import { readdirSync } from 'node:fs';
import type { Benchmarks } from '../benchmark.js';
import { BENCHMARK_SETS } from '../benchmarks/read-benchmarks.js';
import type { Layer } from '../entries/compose-catalogue.js';
import type { CompositionRules } from '../entries/compose-model.js';
import { SHIPPED } from '../entries/entry.js';
import { aText, keyed, listOf, objectOf, type EntryOf } from '../entries/schema.js';
import { searchPriceRules, textAdapterRules, textLimitsRules } from '../entries/text-rules.js';
import { shippedFile } from './shipped-file.js';

/** `others`: the adapter for capabilities other than chat. */
const aReach = objectOf({ adapter: aText, package: aText.optional(), others: aText.optional() });

/** The adapter of each format that an own provider may have. */
const ownFormats = objectOf({ chat: aReach, responses: aReach, messages: aReach, gemini: aReach });

interface ShippedData {
  /** A layer of facts about models and vendors, then a layer of manual additions: adapters, prices, voices. */
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
      { models: modelsOf('models/'), providers: shippedFile(listOf(SHIPPED.provider), 'providers.json') },
      { models: modelsOf('own/'), providers: shippedFile(listOf(SHIPPED.provider), 'own-providers.json') },
    ],
    rules: {
      tokenizers: shippedFile(keyed(aText), 'tokenizers.json'),
      text: {
        adapters: shippedFile(textAdapterRules, 'text-adapters.json'),
        limits: shippedFile(textLimitsRules, 'text-limits.json'),
        searchPrices: shippedFile(searchPriceRules, 'search-prices.json'),
      },
    },
    benchmarks: {
      index: shippedFile(BENCHMARK_SETS.index, 'benchmarks/index-source.json'),
      arena: shippedFile(BENCHMARK_SETS.arena, 'benchmarks/arena-source.json'),
    },
    ownFormats: shippedFile(ownFormats, 'own-formats.json'),
  };
  return read;
}

function modelsOf(folder: string): Layer['models'] {
  const names = readdirSync(new URL(folder, import.meta.url))
    .filter((name) => name.endsWith('.json'))
    .toSorted();
  return names.flatMap((name) => shippedFile(listOf(SHIPPED.model), `${folder}${name}`));
}
