import { shippedFile } from './data/shipped-file.js';
import { shippedData } from './data/shipped.js';
import { aDay, aText, listOf, objectOf } from './entries/schema.js';

const table = objectOf({ source: aText, read: aDay, slugs: listOf(aText) });

let slugs: ReadonlySet<string> | undefined;

/** The closed enumeration of provider slugs of the published API; not all of them have a provider in this catalogue. */
export const publishedProviders = (): ReadonlySet<string> =>
  (slugs ??= new Set(shippedFile(table, 'published-providers.json').slugs));

/** The slugs of the published API and of the shipped catalogue, in alphabetical order. */
export function documentedProviders(): string[] {
  const shipped = shippedData().layers.flatMap(({ providers }) => providers.map(({ slug }) => slug));
  return [...new Set([...publishedProviders(), ...shipped])].toSorted();
}
