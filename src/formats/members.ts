/** The members of a JSON object of unknown form. */
export type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const membersOf = (value: unknown): Members => (isObject(value) ? value : {});
export const hasMembers = (members: Members): boolean => {
  for (const _ in members) return true;
  return false;
};
/** False for undefined and for JSON's null. */
export const isSet = (value: unknown): boolean => value !== undefined && value !== null;
/** The elements of a list; empty for any other value. */
export const elementsIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** The objects in a list; empty for any other value. */
export const objectsIn = (value: unknown): readonly Members[] => elementsIn(value).filter(isObject);
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
export const wholeNumber = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
