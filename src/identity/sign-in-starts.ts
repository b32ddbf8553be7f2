import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SignInLimit } from '../auth/sign-in-limit.js';
import { SessionCookie } from '../sessions/session-cookie.js';
import { beginningCookies } from './attempt-cookie.js';
import { ProviderSignIns } from './provider-sign-ins.js';
import type { AttemptPurpose } from './sign-in-attempts.js';

/** Begins sign-ins in browsers. */
@Injectable()
export class SignInStarts {
  constructor(
    private readonly signIns: ProviderSignIns,
    private readonly cookie: SessionCookie,
    private readonly limit: SignInLimit,
  ) {}

  /**
   * Sets the cookie of the attempt and returns the URL of the provider's sign-in page. If the browser has too many
   * cookies of attempts, removes the oldest. Throws a 429 if too many sign-ins were started from the caller's address.
   */
  async begin(provider: string, purpose: AttemptPurpose, request: Request, response: Response): Promise<string> {
    await this.limit.countStart(request);
    const { url, state, browserToken } = await this.signIns.begin(provider, purpose, request.headers.host);
    for (const cookie of beginningCookies(request, state, browserToken, this.cookie.isSecure(request)))
      response.append('set-cookie', cookie);
    return url.href;
  }
}
