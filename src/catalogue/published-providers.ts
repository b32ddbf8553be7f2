import { readFileSync } from 'node:fs';
import { shippedData } from './data/shipped.js';

let slugs: ReadonlySet<string> | undefined;

/** The closed enumeration of provider slugs of the published API; not all of them have a provider in this catalogue. */
export const publishedProviders = (): ReadonlySet<string> => (slugs ??= new Set(readSlugs()));

/** Published slugs and the shipped catalogue's, in alphabetical order. */
export function documentedProviders(): string[] {
  const shipped = shippedData().layers.flatMap(({ providers }) => providers.map(({ slug }) => slug));
  return [...new Set([...publishedProviders(), ...shipped])].toSorted();
}

function readSlugs(): readonly string[] {
  const file = new URL('data/published-providers.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly slugs: readonly string[] }).slugs;
}
