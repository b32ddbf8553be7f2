/** The value of a search parameter of the page's URL; undefined if it is empty or not a string. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The members that have a value. Only these are written to the page's URL. */
export const present = <Search extends object>(search: Search): Search =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Search;
