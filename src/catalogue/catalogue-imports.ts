import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { InTransaction } from '../database/session-of.js';
import { composeCatalogue, type Layer } from './entries/compose-catalogue.js';
import type { ModelEntry } from './entries/entry.js';
import { EntryFault } from './entries/entry-fault.js';
import { overlayModels, overlayProviders } from './entries/overlay.js';
import { shippedData } from './data/shipped.js';
import { differencesOf, type Difference } from './import/differences.js';
import type { ImportedCatalogue } from './import/imported-catalogue.js';
import { lineOf, located, parseJson } from './import/located-json.js';
import { looksLikeModelsDev, readModelsDev } from './import/models-dev.format.js';
import { looksLikeOpenRouter, readOpenRouter } from './import/openrouter.format.js';
import type { ImportRecord } from './import-record.js';
import { CatalogueStore, type StoredCatalogue } from './store/catalogue-store.js';
import { importedLayer } from './store/effective-catalogue.js';

interface ImportOptions {
  /** Reports the differences without changing anything. */
  readonly dryRun?: boolean;
  /** Removes earlier imports of models and vendors first. */
  readonly replace?: boolean;
}

export interface ImportOutcome {
  readonly format: string;
  readonly models: number;
  readonly providers: number;
  readonly differences: readonly Difference[];
  /** Vendors' offers that match no known model. */
  readonly unmatched: readonly string[];
}

/** The data to import, and the text in which faults are located. `read` gets the ids of the known models. */
interface ImportSource {
  readonly text: string;
  readonly read: (known: readonly string[]) => ImportedCatalogue;
}

/** Imports catalogues in the formats of models.dev and of the published API's GET /models. */
@Injectable()
export class CatalogueImports {
  constructor(private readonly store: CatalogueStore) {}

  /**
   * Imports a file in one transaction, in which `inTransaction` is called too. Throws ImportFault with the line of an
   * invalid part; nothing is then changed.
   */
  async import(
    text: string,
    { dryRun = false, replace = false }: ImportOptions = {},
    inTransaction?: InTransaction<ImportRecord>,
  ): Promise<ImportOutcome> {
    const value = parseJson(text);
    return this.#apply({ text, read: (known) => read(value, known) }, { dryRun, replace }, inTransaction);
  }

  /** Like `import`, for entries that were not read from a file. The entries override earlier imports. */
  add(
    format: string,
    models: readonly ModelEntry[],
    { dryRun = false }: Pick<ImportOptions, 'dryRun'> = {},
    inTransaction?: InTransaction<ImportRecord>,
  ): Promise<ImportOutcome> {
    const imported: ImportedCatalogue = { format, models, providers: [], pathOf: () => [], unmatched: [] };
    return this.#apply(
      { text: JSON.stringify(models), read: () => imported },
      { dryRun, replace: false },
      inTransaction,
    );
  }

  async #apply(
    source: ImportSource,
    { dryRun, replace }: Required<ImportOptions>,
    inTransaction?: InTransaction<ImportRecord>,
  ): Promise<ImportOutcome> {
    const stored = await this.store.read();
    const prepared = this.#prepare(source, stored, replace);
    if (dryRun) return prepared.outcome;
    const digest = createHash('sha256').update(source.text).digest('hex');
    const { format, models } = prepared.imported;
    return this.store.importing(
      { kind: 'catalogue', format, digest, entries: models.length },
      async (session) => {
        // Read again under the lock, because another import may have committed after the first read.
        const current = await session.read();
        const { layer, outcome } =
          current.revision === stored.revision ? prepared : this.#prepare(source, current, replace);
        if (replace) await session.clearCatalogue();
        await session.writeModels(layer.models);
        await session.writeProviders(layer.providers);
        return outcome;
      },
      inTransaction,
    );
  }

  #prepare(
    { text, read }: ImportSource,
    stored: StoredCatalogue,
    replace: boolean,
  ): { imported: ImportedCatalogue; layer: Layer; outcome: ImportOutcome } {
    const { layers, rules } = shippedData();
    const earlier = importedLayer(stored, () => undefined);
    const before = composeCatalogue([...layers, earlier], rules, () => undefined);
    const imported = located(
      () => read(before.models.map(({ id }) => id)),
      (path) => lineOf(text, path),
    );
    const base = replace ? { models: [], providers: [] } : earlier;
    const layer = {
      models: [...overlayModels(base.models, imported.models).values()],
      providers: [...overlayProviders(base.providers, imported.providers).values()],
    };
    const after = located(
      () => composeCatalogue([...layers, layer], rules),
      ([id]) => lineOf(text, imported.pathOf(String(id))),
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
  if (looksLikeOpenRouter(value)) return readOpenRouter(value, known);
  if (looksLikeModelsDev(value)) return readModelsDev(value, known);
  throw new EntryFault(
    [],
    'is in neither of the two formats: models.dev ({"models": …, "providers": …} or vendors by slug) and ' +
      'GET /models ({"data": [...]})',
  );
}
