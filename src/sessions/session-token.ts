import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { SESSION_COOKIE } from '../kernel/console-request.js';

const TOKEN_BYTES = 32;
const CODE_BYTES = 16;
const TOKEN = /^[\w-]{43}$/;

/** A new secret of a browser or a link: 256 random bits. */
export const newSessionToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** A new one-time code: 128 random bits. */
export const newConsoleCode = (): string => randomBytes(CODE_BYTES).toString('base64url');

/** Only this is stored of a token or a code: SHA-256, 64 lowercase hex characters. */
export const hashOfToken = (token: string): string => hash('sha256', token, 'hex');

/**
 * The token of a request. Undefined also where there are two cookies of the name: another site of the same domain can
 * set a second one, and which of them is ours cannot be known.
 */
export function tokenOf({ headers }: IncomingMessage): string | undefined {
  const found = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${SESSION_COOKIE}=`));
  const token = found.length === 1 ? found[0]!.slice(SESSION_COOKIE.length + 1) : undefined;
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** The Set-Cookie header; an empty token removes the cookie. `isSecure`: the browser may send it over TLS only. */
export function cookieOf(token: string, maxAgeS: number, isSecure: boolean): string {
  const secure = isSecure ? '; Secure' : '';
  return `${SESSION_COOKIE}=${token}; Path=/console; Max-Age=${maxAgeS}; HttpOnly; SameSite=Strict${secure}`;
}
