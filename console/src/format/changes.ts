/** The members whose value has changed. Only these are sent, so that changes by others are not overwritten. */
export function changedMembers<T extends object>(before: T, after: T): Partial<T> {
  const isChanged = ([name, value]: [string, unknown]): boolean =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof T]);
  return Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<T>;
}
