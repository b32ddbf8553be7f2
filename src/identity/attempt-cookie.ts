import type { IncomingMessage } from 'node:http';

const PREFIX = 'gatehouse_sign_in_';
const STATE_CHARACTERS = 8;
const MAX_COOKIES = 5;
const TOKEN = /^[\w-]{43}$/;

export const ATTEMPT_LIFE_S = 600;

/** One cookie per attempt, so that sign-ins in two tabs do not interfere with each other. */
const nameOf = (state: string): string => PREFIX + state.slice(0, STATE_CHARACTERS);

/** Lax: the callback is a navigation from the provider's site. */
const cookie = (name: string, value: string, maxAgeS: number, isSecure: boolean): string =>
  `${name}=${value}; Path=/console/oidc; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;

/** The pairs of the header whose names start with the prefix. Browsers send the oldest first. */
const attemptCookies = ({ headers }: IncomingMessage): [name: string, value: string][] =>
  (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim().split('=', 2) as [string, string])
    .filter(([name]) => name.startsWith(PREFIX));

/**
 * The token of the attempt. Also undefined if there are two cookies with the name, because another site may have set
 * one of them.
 */
export function browserTokenOf(request: IncomingMessage, state: string): string | undefined {
  const found = attemptCookies(request).filter(([name]) => name === nameOf(state));
  const token = found.length === 1 ? found[0]![1] : undefined;
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** The Set-Cookie headers that start an attempt. They remove the oldest cookies if there are too many. */
export function beginningCookies(request: IncomingMessage, state: string, token: string, isSecure: boolean): string[] {
  const present = [...new Set(attemptCookies(request).map(([name]) => name))];
  const tooMany = present.slice(0, Math.max(0, present.length + 1 - MAX_COOKIES)).filter((name) => SAFE.test(name));
  return [
    ...tooMany.map((name) => cookie(name, '', 0, isSecure)),
    cookie(nameOf(state), token, ATTEMPT_LIFE_S, isSecure),
  ];
}

const SAFE = /^[\w-]{1,64}$/;

/** The Set-Cookie header that ends an attempt. */
export const endingCookie = (state: string, isSecure: boolean): string => cookie(nameOf(state), '', 0, isSecure);
