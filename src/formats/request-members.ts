import { invalidRequest } from '../kernel/errors/errors.js';
import type { CacheControl } from './conversation.js';
import { isObject, isSet, type Members } from './members.js';

/** Reads one value of a request. Throws invalid_request, with `path` in the message, if the value is invalid. */
export type ReadMember<T> = (value: unknown, path: string) => T;

const must =
  <T>(what: string, test: (value: unknown) => boolean): ReadMember<T> =>
  (value, path) => {
    if (!test(value)) throw invalidRequest(`${path} must be ${what}.`);
    return value as T;
  };

export const asText = must<string>('a string', (value) => typeof value === 'string');
export const asFlag = must<boolean>('a boolean', (value) => typeof value === 'boolean');
export const asNumber = must<number>('a number', Number.isFinite);
export const asInteger = must<number>('an integer', Number.isSafeInteger);
export const asCount = must<number>(
  'an integer of at least 1',
  (value) => Number.isSafeInteger(value) && (value as number) > 0,
);
export const asMembers = must<Members>('an object', isObject);
export const asList = must<readonly unknown[]>('an array', Array.isArray);

export const oneOf = <T extends string>(...words: readonly T[]): ReadMember<T> =>
  must<T>(`one of ${words.join(', ')}`, (value) => (words as readonly unknown[]).includes(value));

/** Reads the elements of a list, each with its own path. */
export const listOf =
  <T>(read: ReadMember<T>): ReadMember<readonly T[]> =>
  (value, path) =>
    asList(value, path).map((element, index) => read(element, `${path}[${index}]`));

/** Reads a string, or a list of strings. */
export const asTexts: ReadMember<readonly string[]> = (value, path) =>
  typeof value === 'string' ? [value] : listOf(asText)(value, path);

/** Undefined if the member is absent or null. */
export const ifGiven = <T>(value: unknown, path: string, read: ReadMember<T>): T | undefined =>
  isSet(value) ? read(value, path) : undefined;

export function readCacheControl(value: unknown, path: string): CacheControl {
  const control = asMembers(value, path);
  ifGiven(control.type, `${path}.type`, oneOf('ephemeral'));
  return { ttl: ifGiven(control.ttl, `${path}.ttl`, oneOf('5m', '1h')) };
}
