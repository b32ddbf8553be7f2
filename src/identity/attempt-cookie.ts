import type { IncomingMessage } from 'node:http';
import { cookiesOf, tokenOf } from '../sessions/session-cookie.js';

const PREFIX = 'gatehouse_sign_in_';
const STATE_CHARACTERS = 8;
const MAX_COOKIES = 5;
const SAFE = /^[\w-]{1,64}$/;

export const ATTEMPT_LIFE_S = 600;

/** One cookie per attempt, so that sign-ins in two tabs do not interfere with each other. */
const nameOf = (state: string): string => PREFIX + state.slice(0, STATE_CHARACTERS);

/** The cookie is SameSite=Lax, because the callback is a navigation from the provider's site. */
const cookie = (name: string, value: string, maxAgeS: number, isSecure: boolean): string =>
  `${name}=${value}; Path=/console/oidc; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;

/** The token of the attempt. Undefined if the request has no cookie of the attempt, or more than one. */
export const browserTokenOf = (request: IncomingMessage, state: string): string | undefined =>
  tokenOf(request, nameOf(state));

/**
 * The Set-Cookie headers that start an attempt. They also remove the oldest cookies of attempts if there are too many.
 */
export function beginningCookies(request: IncomingMessage, state: string, token: string, isSecure: boolean): string[] {
  const names = cookiesOf(request).map(([name]) => name);
  const present = [...new Set(names.filter((name) => name.startsWith(PREFIX)))];
  const tooMany = present.slice(0, Math.max(0, present.length + 1 - MAX_COOKIES)).filter((name) => SAFE.test(name));
  return [
    ...tooMany.map((name) => cookie(name, '', 0, isSecure)),
    cookie(nameOf(state), token, ATTEMPT_LIFE_S, isSecure),
  ];
}

/** The Set-Cookie header that ends an attempt. */
export const endingCookie = (state: string, isSecure: boolean): string => cookie(nameOf(state), '', 0, isSecure);
