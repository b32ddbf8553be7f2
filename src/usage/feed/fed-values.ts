/** SQL expressions of a record `g` whose values every copy stores. */
export const FED_VALUES = {
  created_ms: 'cast(extract(epoch from g.created_at) * 1000 as bigint)',
  upstream_cost: 'coalesce(g.upstream_cost, g.cost)',
  // Index in the list of modalities.
  modality: 'g.modality - 1',
} as const;

/** The value of a column of `g`, or 0 if it is null. */
export const orZero = (column: string): string => `coalesce(g.${column}, 0)`;
