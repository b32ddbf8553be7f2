import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { Alongside } from '../database/session-of.js';
import { composeCatalogue, type Layer } from './entries/compose-catalogue.js';
import { EntryFault } from './entries/entry-fault.js';
import { overlayModels, overlayProviders } from './entries/overlay.js';
import { shippedData } from './data/shipped.js';
import { differencesOf, type Difference } from './import/differences.js';
import { ImportFault } from './import/import-fault.js';
import type { ImportedCatalogue } from './import/imported-catalogue.js';
import { lineOf, parseJson } from './import/located-json.js';
import { looksLikeModelsDev, readModelsDev } from './import/models-dev.format.js';
import { looksLikeOpenRouter, readOpenRouter } from './import/openrouter.format.js';
import type { ImportRecord } from './import-record.js';
import { CatalogueStore, type StoredCatalogue } from './store/catalogue-store.js';
import { importedLayer } from './store/effective-catalogue.js';

export interface ImportOptions {
  /** Finds the differences and changes nothing. */
  readonly dryRun?: boolean;
  /** Takes earlier imports of models and vendors back first. */
  readonly replace?: boolean;
}

export interface ImportOutcome {
  readonly format: string;
  readonly models: number;
  readonly providers: number;
  readonly differences: readonly Difference[];
  /** Vendors' offers that fit no known model. */
  readonly unmatched: readonly string[];
}

/** Imports catalogues in the formats of models.dev and of the published API's GET /models. */
@Injectable()
export class CatalogueImports {
  constructor(private readonly store: CatalogueStore) {}

  /** One transaction, with `alongside` in it: a file with a fault changes nothing, and the ImportFault names its line. */
  async import(
    text: string,
    { dryRun = false, replace = false }: ImportOptions = {},
    alongside?: Alongside<ImportRecord>,
  ): Promise<ImportOutcome> {
    const value = parseJson(text);
    if (dryRun) return this.#prepare(text, value, await this.store.read(), replace).outcome;
    const digest = createHash('sha256').update(text).digest('hex');
    const { format, models } = this.#prepare(text, value, await this.store.read(), replace).imported;
    return this.store.importing(
      { kind: 'catalogue', format, digest, entries: models.length },
      async (session) => {
        // Read again under the lock: somebody else's import may have come between.
        const { layer, outcome } = this.#prepare(text, value, await session.read(), replace);
        if (replace) await session.clearCatalogue();
        await session.writeModels(layer.models);
        await session.writeProviders(layer.providers);
        return outcome;
      },
      alongside,
    );
  }

  #prepare(
    text: string,
    value: unknown,
    stored: StoredCatalogue,
    replace: boolean,
  ): { imported: ImportedCatalogue; layer: Layer; outcome: ImportOutcome } {
    const { layers, tokenizers } = shippedData();
    const earlier = importedLayer(stored, () => undefined);
    const before = composeCatalogue([...layers, earlier], tokenizers, () => undefined);
    const imported = located(text, () =>
      read(
        value,
        before.models.map(({ id }) => id),
      ),
    );
    const base = replace ? { models: [], providers: [] } : earlier;
    const layer = {
      models: [...overlayModels(base.models, imported.models).values()],
      providers: [...overlayProviders(base.providers, imported.providers).values()],
    };
    const after = located(
      text,
      () => composeCatalogue([...layers, layer], tokenizers),
      (path) => imported.pathOf(String(path[0])),
    );
    return {
      imported,
      layer,
      outcome: {
        format: imported.format,
        models: imported.models.length,
        providers: imported.providers.length,
        differences: differencesOf(before, after),
        unmatched: imported.unmatched,
      },
    };
  }
}

function read(value: unknown, known: readonly string[]): ImportedCatalogue {
  if (looksLikeOpenRouter(value)) return readOpenRouter(value);
  if (looksLikeModelsDev(value)) return readModelsDev(value, known);
  throw new EntryFault(
    [],
    'is neither the format of models.dev ({"models": …, "providers": …} or vendors by slug) nor that of GET /models ({"data": [...]})',
  );
}

/** Turns a fault in an entry into one that names the line of the file. */
function located<T>(
  text: string,
  work: () => T,
  pathOf: (path: EntryFault['path']) => EntryFault['path'] = (path) => path,
): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof EntryFault)) throw error;
    throw new ImportFault(lineOf(text, pathOf(error.path)), error.message);
  }
}
