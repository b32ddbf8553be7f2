/** The members of an object that are not undefined: the changes that a request contains. */
export const givenMembers = <T extends object>(members: T): Partial<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;
