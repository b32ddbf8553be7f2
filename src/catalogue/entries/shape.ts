import { parseDecimal } from '../../kernel/money.js';
import { EntryFault } from './entry-fault.js';

type Path = readonly (string | number)[];

/** Validates a value; throws EntryFault with the path of the invalid part. */
export type Reader<T> = (value: unknown, path: Path) => T;

const check = (holds: boolean, path: Path, what: string): void => {
  if (!holds) throw new EntryFault(path, `must be ${what}`);
};

/** Characters that PostgreSQL cannot store in JSON: NUL and lone surrogates. */
// oxlint-disable-next-line no-control-regex
const UNSTORABLE = /\u0000|[\ud800-\udfff]/u;

export const aText: Reader<string> = (value, path) => {
  check(typeof value === 'string' && value.trim() !== '' && !UNSTORABLE.test(value), path, 'a text that is not empty');
  return value as string;
};

export const matching =
  (pattern: RegExp, what: string): Reader<string> =>
  (value, path) => {
    check(typeof value === 'string' && pattern.test(value), path, what);
    return value as string;
  };

export const aFlag: Reader<boolean> = (value, path) => {
  check(typeof value === 'boolean', path, 'true or false');
  return value as boolean;
};

export const aNumber: Reader<number> = (value, path) => {
  check(typeof value === 'number' && Number.isFinite(value), path, 'a number');
  return value as number;
};

export const aCount: Reader<number> = (value, path) => {
  check(typeof value === 'number' && Number.isSafeInteger(value) && value >= 0, path, 'a whole number of at least 0');
  return value as number;
};

/** Decimal text of at least 0, such as "0.25". */
export const aPrice: Reader<string> = (value, path) => {
  const amount = typeof value === 'string' && value.length <= 40 ? parseDecimal(value) : undefined;
  check(
    amount !== undefined && amount.units >= 0n && amount.scale <= 40,
    path,
    'an amount of USD of at least 0, as decimal text such as "0.25"',
  );
  return value as string;
};

/** Also accepts "-1": the published format's value for a price that is unknown or varies. */
export const aPriceOrUnknown: Reader<string> = (value, path) => (value === '-1' ? value : aPrice(value, path));

export const oneOf =
  <T extends string>(values: readonly T[]): Reader<T> =>
  (value, path) => {
    check((values as readonly unknown[]).includes(value), path, `one of ${values.join(', ')}`);
    return value as T;
  };

export const listOf =
  <T>(item: Reader<T>): Reader<readonly T[]> =>
  (value, path) => {
    check(Array.isArray(value), path, 'a list');
    return (value as unknown[]).map((member, index) => item(member, [...path, index]));
  };

export const keyed =
  <T>(item: Reader<T>): Reader<Readonly<Record<string, T>>> =>
  (value, path) =>
    Object.fromEntries(
      Object.entries(anObject(value, path)).map(([key, member]) => [key, item(member, [...path, key])]),
    );

export const anObject: Reader<Record<string, unknown>> = (value, path) => {
  check(typeof value === 'object' && value !== null && !Array.isArray(value), path, 'an object');
  return value as Record<string, unknown>;
};

type Members<T> = { readonly [K in keyof T]-?: Reader<Exclude<T[K], undefined>> };

/** An object with these members; those not in `required` may be absent. `unknown`: whether to refuse or drop others. */
export const shapeOf =
  <T extends object>(
    members: Members<T>,
    required: readonly (keyof T & string)[],
    unknown: 'refuse' | 'drop' = 'refuse',
  ): Reader<T> =>
  (value, path) => {
    const given = anObject(value, path);
    for (const name of required)
      if (given[name] === undefined) throw new EntryFault(path, `lacks the member "${name}"`);
    const read: [string, unknown][] = [];
    for (const [name, member] of Object.entries(given)) {
      const reader = Object.hasOwn(members, name) ? members[name as keyof T] : undefined;
      if (!reader && unknown === 'refuse')
        throw new EntryFault([...path, name], `is not a known member; known are ${Object.keys(members).join(', ')}`);
      const value = reader && member !== undefined ? reader(member, [...path, name]) : undefined;
      if (value !== undefined) read.push([name, value]);
    }
    return Object.fromEntries(read) as T;
  };
