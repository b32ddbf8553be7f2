const PATTERN = /__vault__([a-z][a-z0-9]*(?:_[a-z0-9]+)*)__/g;

/**
 * The placeholder that an intern sends instead of a secret. Names contain no double underscore, so the end of a
 * placeholder is unambiguous.
 */
export const placeholderOf = (name: string): string => `__vault__${name}__`;

/** The distinct names of the placeholders in a text. */
export const namesIn = (text: string): string[] => [...new Set([...text.matchAll(PATTERN)].map((match) => match[1]!))];

/** The text with every placeholder replaced by `valueOf(name)`. */
export const filledIn = (text: string, valueOf: (name: string) => string): string =>
  text.replace(PATTERN, (_, name: string) => valueOf(name));
