import { availableParallelism } from 'node:os';
import { parseDecimal } from '../kernel/money.js';

/**
 * Throws `must be …` unless the condition holds. Config.read() prefixes the variable's name; the value is never
 * included.
 */
export const must = (condition: boolean, what: string): void => {
  if (!condition) throw new Error(`must be ${what}`);
};

export const integer =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    must(/^\d+$/.test(text) && value >= min && value <= max, `a whole number from ${min} to ${max}`);
    return value;
  };

const MAX_WORKERS = 256;

/** `auto` = one less than the machine has processors. */
export const workerCount = (text: string): number => {
  if (text === 'auto') return Math.max(1, availableParallelism() - 1);
  const value = Number(text);
  must(/^\d+$/.test(text) && value >= 1 && value <= MAX_WORKERS, `a whole number from 1 to ${MAX_WORKERS}, or auto`);
  return value;
};

export const oneOf =
  <T extends string>(...values: readonly T[]) =>
  (text: string): T => {
    must((values as readonly string[]).includes(text), `one of ${values.join(', ')}`);
    return text as T;
  };

export const flag = (text: string): boolean => {
  must(text === 'true' || text === 'false', 'true or false');
  return text === 'true';
};

export const url =
  (...protocols: readonly string[]) =>
  (value: string): string => {
    const begins = protocols.map((protocol) => `${protocol}//`);
    must(
      URL.canParse(value) && begins.some((begin) => value.toLowerCase().startsWith(begin)),
      `a URL that begins with ${begins.join(' or ')}`,
    );
    return value.replace(/\/+$/, '');
  };

export const httpUrl = url('http:', 'https:');

export const smtpUrl = (value: string): string => {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  const isWhole = parsed !== undefined && ['smtp:', 'smtps:'].includes(parsed.protocol) && parsed.hostname !== '';
  must(
    isWhole && /^\/?$/.test(parsed.pathname) && parsed.search === '' && parsed.hash === '' && isDecodable(parsed),
    'a URL that begins with smtp:// or smtps://, with a host and without a path, query or fragment',
  );
  return value;
};

/** A user name and password are percent-encoded in a URL. */
function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

export const mailAddress = (value: string): string => {
  const address = String.raw`[^\s<>@",;:()]+@[A-Za-z0-9.-]+`;
  must(
    new RegExp(`^(?:${address}|[^<>@\\p{Cc}]+ <${address}>)$`, 'u').test(value),
    'an address such as alerts@example.com or Gatehouse <alerts@example.com>',
  );
  return value;
};

export const text = (value: string): string => value;

export const hostname = (value: string): string => {
  const name = value.trim().toLowerCase().replace(/\.$/, '');
  must(
    /^[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?$/.test(name),
    'a host name without scheme, port or path, or several separated by commas where the variable takes several',
  );
  return name;
};

export const hostnames = (value: string): readonly string[] =>
  value
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(hostname);

const HEADER_NAME = /^[a-z0-9-]{1,64}$/;

/** Names of request headers, separated by commas, in lower case; `off` = none (undefined). */
export function headerNames(value: string): readonly string[] | undefined {
  if (value === 'off') return undefined;
  return value.split(',').map((part) => {
    const name = part.trim().toLowerCase();
    must(HEADER_NAME.test(name), 'off, or names of headers such as X-OpenWebUI-User-Id, separated by commas');
    return name;
  });
}

/** Origins of web pages, such as https://app.example.com, separated by commas; `*` = all. */
export const origins = (value: string): readonly string[] =>
  (value === 'off' ? '' : value)
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const isOrigin = part === '*' || (/^https?:/.test(part) && URL.canParse(part) && new URL(part).origin === part);
      must(isOrigin, 'off, *, or origins such as https://app.example.com (without a path), separated by commas');
      return part;
    });

export const usdAmount = (value: string): string => {
  const amount = parseDecimal(value);
  must(amount !== undefined && amount.units >= 0n && value.length <= 30, 'an amount of USD such as 100 or 12.50');
  return value;
};

const PROVIDER_NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** Names of identity providers, separated by commas. */
export const providerNames = (value: string): readonly string[] => {
  const names = value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  must(
    names.every((name) => PROVIDER_NAME.test(name)) && new Set(names).size === names.length,
    'different names such as corp, of lower-case letters, digits and hyphens, separated by commas',
  );
  return names;
};
