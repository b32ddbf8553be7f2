import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Config } from '../config/config.js';
import { Clock } from '../kernel/clock.js';
import { cookieOf } from './session-token.js';
import type { OpenedSession } from './sign-ins.js';

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

  /** Whether cookies go over TLS only. Express knows TLS from X-Forwarded-Proto of proxies in TRUST_PROXY. */
  isSecure(request: Request): boolean {
    return this.#isPublicOverTls || request.secure;
  }
}
