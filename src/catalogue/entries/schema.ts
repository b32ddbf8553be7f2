import { z } from 'zod';
import { parseDecimal } from '../../kernel/money.js';
import { EntryFault } from './entry-fault.js';

type Path = readonly (string | number)[];

/**
 * The handling of members that a schema does not name. `refuse`: they make the data invalid. `drop`: they are removed,
 * for example from stored rows, because a newer version may have written them.
 */
export type Unknown = 'refuse' | 'drop';

/** The output of a schema, readonly. */
export type EntryOf<S extends z.ZodType> = DeepReadonly<z.infer<S>>;
type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** Parses a value by the schema. Throws EntryFault with the path of the first invalid part, below `path`. */
export function read<S extends z.ZodType>(schema: S, value: unknown, path: Path = []): EntryOf<S> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data as EntryOf<S>;
  throw faultOf(result.error.issues[0]!, path);
}

function faultOf(issue: z.core.$ZodIssue, above: Path): EntryFault {
  const path = [...above, ...(issue.path as (string | number)[])];
  if (issue.code === 'unrecognized_keys') return new EntryFault([...path, issue.keys[0]!], issue.message);
  const isMissing = issue.input === undefined && issue.path.length > 0;
  return isMissing
    ? new EntryFault(path.slice(0, -1), `lacks the member "${path.at(-1)}"`)
    : new EntryFault(path, issue.message);
}

const must = (what: string): { readonly error: string } => ({ error: `must be ${what}` });

/** Characters that PostgreSQL cannot store in JSON: NUL and lone surrogates. */
// oxlint-disable-next-line no-control-regex
const UNSTORABLE = /\u0000|[\ud800-\udfff]/u;
const TEXT = must('a text that is not empty');
export const aText = z.string(TEXT).refine((text) => text.trim() !== '' && !UNSTORABLE.test(text), TEXT);

export const matching = (pattern: RegExp, what: string): z.ZodString =>
  z.string({ error: `must be ${what}` }).regex(pattern, must(what));

export const aFlag = z.boolean(must('true or false'));
export const aNumber = z.number(must('a number'));
const COUNT = must('a whole number of at least 0');
export const aCount = z.int(COUNT).min(0, COUNT);

const AMOUNT = must('an amount of USD of at least 0, as decimal text such as "0.25"');
/** Decimal text of at least 0, such as "0.25". */
export const aPrice = z.string(AMOUNT).refine((text) => {
  const amount = text.length <= 40 ? parseDecimal(text) : undefined;
  return amount !== undefined && amount.units >= 0n && amount.scale <= 40;
}, AMOUNT);

/** Also accepts "-1", which means an unknown or variable price in the published format. */
export const aPriceOrUnknown = z
  .string(AMOUNT)
  .refine((text) => text === '-1' || aPrice.safeParse(text).success, AMOUNT);

export const oneOf = <const T extends string>(values: readonly T[]) =>
  z.enum(values as readonly [T, ...T[]], must(`one of ${values.join(', ')}`));

export const listOf = <S extends z.ZodType>(item: S): z.ZodArray<S> => z.array(item, must('a list'));

const OBJECT = must('an object');
export const keyed = <S extends z.ZodType>(item: S): z.ZodRecord<z.ZodString, S> => z.record(z.string(), item, OBJECT);

export const anObject = keyed(z.unknown());

/** An object with these members. */
export function objectOf<S extends z.ZodRawShape>(members: S, unknown: Unknown = 'refuse'): z.ZodObject<S> {
  const known = Object.keys(members).join(', ');
  const schema = z.object(members, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? `is not a known member; the known members are ${known}` : OBJECT.error,
  });
  return unknown === 'refuse' ? schema.strict() : schema;
}

export const aModelId = matching(/^[^/\s]+\/[^/\s]+$/, 'an id of the form author/slug');
export const aSlug = matching(/^[a-z0-9][a-z0-9._-]*$/, 'a slug of lowercase letters, digits, dots and hyphens');
export const aDay = matching(
  /^\d{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/,
  'a date such as 2026-03-31 or 2026-03',
);
export const aUrl = matching(/^https?:\/\/\S+$/, 'a URL');
/** Some vendors' addresses contain or begin with a variable of the operator's account, such as `${ACCOUNT_ID}`. */
export const anAddress = matching(/^https?:\/\/\S+$|^\$\{/, 'a URL');
