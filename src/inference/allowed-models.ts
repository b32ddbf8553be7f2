import { Injectable } from '@nestjs/common';
import { AssumedModels } from '../catalogue/assumed-models.js';
import { Catalogue } from '../catalogue/catalogue.js';
import type { CatalogueSnapshot } from '../catalogue/catalogue-snapshot.js';
import { authorOf } from '../catalogue/names/published-names.js';

/** The suffix of a list entry that means all models of an author. */
const EVERY_MODEL = '/*';

interface ResolvedList {
  readonly snapshot: CatalogueSnapshot;
  /** The entries of the list, each converted to the catalogue's id of the model or name of the author (`author/*`). */
  readonly entries: ReadonlySet<string>;
}

/** Lists of the models that a key or a credential may use. An entry is a model's name or `author/*`. */
@Injectable()
export class AllowedModels {
  readonly #resolved = new WeakMap<readonly string[], ResolvedList>();

  constructor(private readonly catalogue: Catalogue) {}

  /** Whether a list contains a model: by its id, by another name that belongs only to it, or by its author. */
  allows(list: readonly string[], id: string): boolean {
    const author = id.slice(0, id.indexOf('/')) + EVERY_MODEL;
    if (list.includes(id) || list.includes(author)) return true;
    const entries = this.#entriesOf(list);
    return entries.has(id) || entries.has(author);
  }

  /** The id of the model with this name; undefined if there is none. */
  idOf(name: string): string | undefined {
    return this.catalogue.snapshot.idOf(name) ?? AssumedModels.idOf(name);
  }

  /** Whether an entry of a list names a known model or author. */
  isKnown(entry: string): boolean {
    if (!entry.endsWith(EVERY_MODEL)) return this.idOf(entry) !== undefined;
    const prefix = this.#entryOf(entry).slice(0, -1);
    return this.catalogue.all().some(({ id }) => id.startsWith(prefix));
  }

  #entriesOf(list: readonly string[]): ReadonlySet<string> {
    const { snapshot } = this.catalogue;
    let resolved = this.#resolved.get(list);
    if (resolved?.snapshot !== snapshot) {
      resolved = { snapshot, entries: new Set(list.map((entry) => this.#entryOf(entry))) };
      this.#resolved.set(list, resolved);
    }
    return resolved.entries;
  }

  #entryOf(entry: string): string {
    return entry.endsWith(EVERY_MODEL)
      ? authorOf(entry.slice(0, -EVERY_MODEL.length)) + EVERY_MODEL
      : (this.idOf(entry) ?? entry);
  }
}
