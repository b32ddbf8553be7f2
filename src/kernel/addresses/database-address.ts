/**
 * The required state of a server, in the terms of libpq: it accepts writes, is a primary, is a standby, or has any
 * state.
 */
export const SESSION_TARGETS = ['read-write', 'primary', 'standby', 'any'] as const;
export type SessionTarget = (typeof SESSION_TARGETS)[number];

interface DatabaseAddress {
  /** One address per host, in the order of the list. */
  readonly urls: readonly string[];
  /** undefined: a single host, which is used in any state. */
  readonly target: SessionTarget | undefined;
}

const PARTS = /^(?<before>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#]*)(?<after>.*)$/is;
export const SESSION_TARGET = 'target_session_attrs';

/**
 * The hosts of an address such as `postgres://user:password@h1:5432,h2:5433/db?target_session_attrs=primary`. With
 * several hosts, the default target is `read-write`. undefined = not the address of a server.
 */
export function readDatabaseAddress(url: string): DatabaseAddress | undefined {
  const { before, hosts, after } = PARTS.exec(url)?.groups ?? {};
  if (before === undefined) return undefined;
  const names = hosts!.split(',');
  const urls = names.map((host) => `${before}${host}${after}`);
  if (!urls.every((each) => URL.canParse(each)) || (names.length > 1 && names.some((host) => /^(?::|$)/.test(host))))
    return undefined;
  const { searchParams } = new URL(urls[0]!);
  if (/,/.test(`${searchParams.get('host')}${searchParams.get('port')}`)) return undefined;
  const named = searchParams.get(SESSION_TARGET) as SessionTarget | null;
  return { urls, target: named ?? (names.length > 1 ? 'read-write' : undefined) };
}

/** Adds the target to an address that lists several hosts and has no target. Returns any other address unchanged. */
export function withTarget(url: string, target: SessionTarget): string {
  const address = readDatabaseAddress(url);
  if (!address || address.urls.length === 1 || new URL(address.urls[0]!).searchParams.has(SESSION_TARGET)) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${SESSION_TARGET}=${target}`;
}
