import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { readRedisAddress } from '../kernel/addresses/redis-address.js';
import { parseDecimal } from '../kernel/money.js';
import { percentDecoded } from '../kernel/text/text.js';

/** One environment variable: its schema, its documentation and its default. */
export interface Variable<T> {
  /** The messages of its errors are rules, such as `must be true or false`. They never contain the value. */
  readonly schema: z.ZodType<T, string>;
  /** The text used when the variable is absent; undefined = the value is undefined. */
  readonly default?: string;
  /** One or two sentences for docs/configuration.md. */
  readonly doc: string;
  /** If true, neither the value nor its length is shown. */
  readonly secret?: boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the value of a variable, or of its default. If the value is invalid, adds the name and the violated rule to
 * `problems`.
 */
export function readVariable<T>(
  { schema, default: fallback }: Variable<T>,
  name: string,
  environment: Environment,
  problems: string[],
): T | undefined {
  const given = environment[name]?.trim() || fallback;
  if (given === undefined) return undefined;
  const { data, error } = schema.safeParse(given);
  if (error) problems.push(`${name} ${error.issues[0]!.message}`);
  return data;
}

/** The message of a rule. `readVariable` adds the variable's name; the value is never included. */
export const must = (what: string): { readonly error: string } => ({ error: `must be ${what}` });

export const text = z.string();

export const textThat = (isValid: (value: string) => boolean, what: string): z.ZodString =>
  text.refine(isValid, must(what));

export const matching = (pattern: RegExp, what: string): z.ZodString => text.regex(pattern, must(what));

/** Values separated by commas. Empty values are ignored. */
export const listOf = <S extends z.ZodType<unknown, string>>(item: S) =>
  text
    .transform((value): readonly string[] =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(item).readonly());

export const oneOf = <const T extends string>(...values: readonly T[]) =>
  z.enum(values as readonly [T, ...T[]], must(`one of ${values.join(', ')}`));

export const flag = z.enum(['true', 'false'], must('true or false')).transform((value) => value === 'true');

export const integer = (min: number, max: number, what = `a whole number from ${min} to ${max}`) =>
  matching(/^\d+$/, what)
    .transform(Number)
    .pipe(z.number().min(min, must(what)).max(max, must(what)));

const MAX_WORKERS = 256;
const MAX_OR_AUTO = `a whole number from 1 to ${MAX_WORKERS}, or auto`;
/** `auto` = the number of the machine's processors minus one, but at least 1. */
export const workerCount = z.union(
  [z.literal('auto').transform(() => Math.max(1, availableParallelism() - 1)), integer(1, MAX_WORKERS, MAX_OR_AUTO)],
  must(MAX_OR_AUTO),
);

export const httpUrl = textThat(
  (value) => URL.canParse(value) && /^https?:\/\//i.test(value),
  'a URL that begins with http:// or https://',
).overwrite((value) => value.replace(/\/+$/, ''));

/** The URL of one Redis server, of several Sentinels, or of several nodes of a Cluster. */
export const redisAddress = textThat(
  (value) => readRedisAddress(value) !== undefined,
  'a URL that begins with redis:// or rediss://, such as redis://host:6379, redis+sentinel://host:26379,host:26379/' +
    'primary or redis+cluster://host:6379,host:6379',
);

/** A URL with a host, a path that matches, and neither query nor fragment. */
const urlWithPath = (protocols: readonly string[], path: RegExp, what: string): z.ZodString =>
  textThat((value) => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    if (!parsed || !protocols.includes(parsed.protocol) || parsed.hostname === '') return false;
    if (!path.test(parsed.pathname) || parsed.search !== '' || parsed.hash !== '') return false;
    return isDecodable(parsed.username + parsed.password + parsed.pathname);
  }, what);

/** The URL of a ClickHouse server. A user, a password and the name of a database are optional. */
export const clickHouseUrl = urlWithPath(
  ['http:', 'https:'],
  /^\/?[^/]*\/?$/,
  'a URL that begins with http:// or https://, with a host, and at most the name of a database as its path',
);

export const smtpUrl = urlWithPath(
  ['smtp:', 'smtps:'],
  /^\/?$/,
  'a URL that begins with smtp:// or smtps://, with a host and without a path, query or fragment',
);

/** Whether the text has valid percent-encoding. */
export const isDecodable = (encoded: string): boolean => percentDecoded(encoded) !== undefined;

const ADDRESS = String.raw`[^\s<>@",;:()]+@[A-Za-z0-9.-]+`;
export const mailAddress = matching(
  new RegExp(`^(?:${ADDRESS}|[^<>@\\p{Cc}]+ <${ADDRESS}>)$`, 'u'),
  'an address such as alerts@example.com or Gatehouse <alerts@example.com>',
);

export const hostname = text
  .trim()
  .toLowerCase()
  .overwrite((name) => name.replace(/\.$/, ''))
  .regex(
    /^[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?$/,
    must('a host name without scheme, port or path, or several separated by commas where the variable takes several'),
  );

export const hostnames = listOf(hostname);

/** Names of request headers, separated by commas, in lower case; `off` = none (undefined). */
export const headerNames = matching(
  /^\s*[A-Za-z0-9-]{1,64}\s*(,\s*[A-Za-z0-9-]{1,64}\s*)*$/,
  'off, or names of headers such as X-OpenWebUI-User-Id, separated by commas',
).transform((value): readonly string[] | undefined =>
  value === 'off' ? undefined : value.split(',').map((part) => part.trim().toLowerCase()),
);

const isOrigin = (part: string): boolean =>
  part === '*' || (/^https?:/.test(part) && URL.canParse(part) && new URL(part).origin === part);

/** Origins of web pages, such as https://app.example.com, separated by commas; `*` = all. */
export const origins = text
  .overwrite((value) => (value === 'off' ? '' : value))
  .pipe(
    listOf(
      textThat(isOrigin, 'off, *, or origins such as https://app.example.com (without a path), separated by commas'),
    ),
  );

export const usdAmount = textThat((value) => {
  const amount = parseDecimal(value);
  return amount !== undefined && amount.units >= 0n && value.length <= 30;
}, 'an amount of USD such as 100 or 12.50');

const PROVIDER_NAMES = must(
  'different names such as corp, of lower-case letters, digits and hyphens, separated by commas',
);
/** Names of identity providers, separated by commas. */
export const providerNames = listOf(text.regex(/^[a-z][a-z0-9-]{0,31}$/, PROVIDER_NAMES)).refine(
  (names) => new Set(names).size === names.length,
  PROVIDER_NAMES,
);
