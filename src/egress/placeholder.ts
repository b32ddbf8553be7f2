const PATTERN = /__vault__([a-z][a-z0-9]*(?:_[a-z0-9]+)*)__/g;

/** What an intern sends in a secret's stead. Names hold no double underscore, so it can be told from whatever surrounds it. */
export const placeholderOf = (name: string): string => `__vault__${name}__`;

/** The names of the secrets that a text asks for, each once. */
export const namesIn = (text: string): string[] => [...new Set([...text.matchAll(PATTERN)].map((match) => match[1]!))];

/** The text with every placeholder replaced by what `valueOf` gives for its name. */
export const filledIn = (text: string, valueOf: (name: string) => string): string =>
  text.replace(PATTERN, (_, name: string) => valueOf(name));
