/** A random sample of the given size, in random order. */
export function drawn<T>(all: readonly T[], count: number): readonly T[] {
  if (count >= all.length) return all;
  const left = [...all];
  return Array.from({ length: count }, () => left.splice(Math.floor(Math.random() * left.length), 1)[0]!);
}
