import { readFileSync } from 'node:fs';
import { EntryFault } from '../entries/entry-fault.js';
import { aDay, aModelId, aUrl } from '../entries/read-entry.js';
import { aText, keyed, listOf, oneOf, shapeOf } from '../entries/shape.js';

const DATE_FORMS = ['-YYYYMMDD', '-YYYY-MM-DD', '@YYYYMMDD'] as const;
/** How a vendor writes the date at the end of a model's name. */
export type DateForm = (typeof DATE_FORMS)[number];

/** Names of the published API for what this catalogue names otherwise. */
export interface PublishedNames {
  /** Published author → ours. */
  readonly authors: Readonly<Record<string, string>>;
  /** Published slug of a provider → ours. */
  readonly providers: Readonly<Record<string, string>>;
  /** Published id → the ids here that it may mean. More than one = it names none of them. */
  readonly models: Readonly<Record<string, readonly string[]>>;
  /** Published id → the family whose newest model it names. */
  readonly latest: Readonly<Record<string, { readonly author: string; readonly family: string }>>;
  /** Published id that is never served → what to send instead. */
  readonly refused: Readonly<Record<string, string>>;
  /** Providers that sell models under dated names. */
  readonly dated: Readonly<Record<string, DateForm>>;
}

const tables = shapeOf<PublishedNames & { readonly source: string; readonly read: string }>(
  {
    source: aUrl,
    read: aDay,
    authors: keyed(aText),
    providers: keyed(aText),
    models: keyed(listOf(aModelId)),
    latest: keyed(shapeOf<PublishedNames['latest'][string]>({ author: aText, family: aText }, ['author', 'family'])),
    refused: keyed(aText),
    dated: keyed(oneOf(DATE_FORMS)),
  },
  ['source', 'read', 'authors', 'providers', 'models', 'latest', 'refused', 'dated'],
);

let shipped: PublishedNames | undefined;

/** The table that ships with this version, read from its file once. */
export function publishedNames(): PublishedNames {
  return (shipped ??= readTable());
}

/** The author here for an author of the published API; any other name is returned as it is. */
export const authorOf = (name: string): string => own(publishedNames().authors, name) ?? name;

/** The provider slug here for a slug of the published API; any other name is returned as it is. */
export const providerOf = (slug: string): string => own(publishedNames().providers, slug) ?? slug;

/** The authors that a name may mean: itself, and the one here that the published API calls so. */
export const authorsNamed = (name: string): string[] => [...new Set([name, authorOf(name)])];

/** The provider slugs that a name may mean: itself, and the one here that the published API calls so. */
export const providersNamed = (slug: string): string[] => [...new Set([slug, providerOf(slug)])];

/** What to send instead of a name that is never served, by its key (`nameKey`). */
export const refusalOfName = (key: string): string | undefined => refusals().get(key);

let refused: ReadonlyMap<string, string> | undefined;

/** Keys have dashes for dots. */
const refusals = (): ReadonlyMap<string, string> =>
  (refused ??= new Map(Object.entries(publishedNames().refused).map(([id, text]) => [id.replaceAll('.', '-'), text])));

const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

function readTable(): PublishedNames {
  const value: unknown = JSON.parse(readFileSync(new URL('../data/published-names.json', import.meta.url), 'utf8'));
  try {
    return tables(value, []);
  } catch (error) {
    if (!(error instanceof EntryFault)) throw error;
    throw new Error(`src/catalogue/data/published-names.json: ${error.path.join('.')} ${error.message}`, {
      cause: error,
    });
  }
}
