import { shippedFile } from '../data/shipped-file.js';
import { aDay, aModelId, aText, aUrl, keyed, listOf, objectOf, oneOf, type EntryOf } from '../entries/schema.js';

const DATE_FORMS = ['-YYYYMMDD', '-YYYY-MM-DD', '@YYYYMMDD'] as const;
/** How a vendor writes the date at the end of a model's name. */
export type DateForm = (typeof DATE_FORMS)[number];

/** Names of the published API that differ from the names in this catalogue. */
const tables = objectOf({
  source: aUrl,
  read: aDay,
  /** Published author → author in this catalogue. */
  authors: keyed(aText),
  /** Published slug of a provider → slug in this catalogue. */
  providers: keyed(aText),
  /**
   * Published id → the possible ids in this catalogue. If there are several, the published id identifies none of them.
   */
  models: keyed(listOf(aModelId)),
  /** Published id → the family whose newest model it identifies. */
  latest: keyed(objectOf({ author: aText, family: aText })),
  /** Published id that is never served → a text for the caller that says what to send instead. */
  refused: keyed(aText),
  /** Providers that sell models under dated names. */
  dated: keyed(oneOf(DATE_FORMS)),
});
type PublishedNames = EntryOf<typeof tables>;

let shipped: PublishedNames | undefined;

/** The table that ships with this version, read from its file once. */
export const publishedNames = (): PublishedNames => (shipped ??= shippedFile(tables, 'published-names.json'));

/** The author in this catalogue for an author of the published API; any other name is returned unchanged. */
export const authorOf = (name: string): string => own(publishedNames().authors, name) ?? name;

/** The provider slug in this catalogue for a slug of the published API; any other name is returned unchanged. */
export const providerOf = (slug: string): string => own(publishedNames().providers, slug) ?? slug;

/** The authors that a name may mean: the author with this name, and the author with this published name. */
export const authorsNamed = (name: string): string[] => [...new Set([name, authorOf(name)])];

/** The provider slugs that a slug may mean: the same slug, and the slug in this catalogue for this published slug. */
export const providersNamed = (slug: string): string[] => [...new Set([slug, providerOf(slug)])];

let refused: ReadonlyMap<string, string> | undefined;

/**
 * The text for the caller if a name is never served; undefined for other names. `key`: the `nameKey` of the name, which
 * has dashes instead of dots.
 */
export function refusalOfName(key: string): string | undefined {
  refused ??= new Map(Object.entries(publishedNames().refused).map(([id, text]) => [id.replaceAll('.', '-'), text]));
  return refused.get(key);
}

const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
