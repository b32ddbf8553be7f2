import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { IncomingMessage } from 'node:http';
import { Config } from '../config/config.js';
import { Clock } from '../kernel/clock.js';
import { SESSION_COOKIE } from '../kernel/console-request.js';
import type { OpenedSession } from './sign-ins.js';

const TOKEN = /^[\w-]{43}$/;

/** Sets and removes the cookie of a session. */
@Injectable()
export class SessionCookie {
  readonly #isPublicOverTls: boolean;

  constructor(
    private readonly clock: Clock,
    { values }: Config,
  ) {
    this.#isPublicOverTls = values.PUBLIC_BASE_URL?.startsWith('https:') ?? false;
  }

  set(request: Request, response: Response, { session, token }: OpenedSession): void {
    const maxAgeS = Math.max(0, Math.floor((session.expiresAt.getTime() - this.clock.now().getTime()) / 1000));
    response.append('set-cookie', cookieOf(token, maxAgeS, this.isSecure(request)));
  }

  remove(request: Request, response: Response): void {
    response.append('set-cookie', cookieOf('', 0, this.isSecure(request)));
  }

  /**
   * Whether cookies are sent over TLS only. Behind the proxies in TRUST_PROXY, Express detects TLS by the header
   * X-Forwarded-Proto.
   */
  isSecure(request: Request): boolean {
    return this.#isPublicOverTls || request.secure;
  }
}

/** The cookies of a request, in the order of the browser, which sends the oldest first. */
export const cookiesOf = ({ headers }: IncomingMessage): [name: string, value: string][] =>
  (headers.cookie ?? '').split(';').map((pair) => pair.trim().split(/=(.*)/s, 2) as [string, string]);

/**
 * The token in the cookie of a request. Undefined if there is no valid token, or if several cookies have this name.
 * Another site of the same domain can set a second cookie, which cannot be distinguished from the first.
 */
export function tokenOf(request: IncomingMessage, cookie = SESSION_COOKIE): string | undefined {
  const found = cookiesOf(request).filter(([name]) => name === cookie);
  const token = found.length === 1 ? found[0]![1] : undefined;
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** The Set-Cookie header; an empty token removes the cookie. `isSecure`: the browser may send it over TLS only. */
function cookieOf(token: string, maxAgeS: number, isSecure: boolean): string {
  const secure = isSecure ? '; Secure' : '';
  return `${SESSION_COOKIE}=${token}; Path=/console; Max-Age=${maxAgeS}; HttpOnly; SameSite=Strict${secure}`;
}
