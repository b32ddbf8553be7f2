import type { Mutation } from './mutation.js';

/** The source with the fault. Throws if the text to replace does not occur exactly once. */
export function mutate(source: string, { name, file, text, replacement }: Mutation): string {
  const [before, after, ...others] = source.split(text);
  if (after === undefined || others.length > 0)
    throw new Error(`${name}: its text occurs ${others.length === 0 ? 'nowhere' : 'more than once'} in ${file}`);
  return `${before}${replacement}${after}`;
}
