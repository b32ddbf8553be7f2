export interface AliasValues {
  readonly name: string;
  readonly models: readonly string[];
}

/** The list with one entry moved up by one place. */
export const movedUp = <T>(entries: readonly T[], index: number): T[] => {
  const moved = entries[index]!;
  const others = entries.filter((_, at) => at !== index);
  return others.toSpliced(index - 1, 0, moved);
};
