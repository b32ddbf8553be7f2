/** One page of an ordered list. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
}

export interface Paged<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** A page of a list that is complete in memory. */
export const pageOf = <T>(all: readonly T[], { offset, limit }: Page): Paged<T> => ({
  items: all.slice(offset, offset + limit),
  total: all.length,
});
