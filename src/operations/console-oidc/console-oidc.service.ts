import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SignInLimit } from '../../auth/sign-in-limit.js';
import { endingCookie } from '../../identity/attempt-cookie.js';
import { ProviderSignIns } from '../../identity/provider-sign-ins.js';
import { returnPath } from '../../identity/return-path.js';
import { SignInRefused } from '../../identity/sign-in-refused.js';
import { SignInStarts } from '../../identity/sign-in-starts.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import { forbidden } from '../../kernel/errors/errors.js';
import { Invitations } from '../../members/invitations.js';
import { BrowserSessions } from '../../sessions/browser-sessions.js';
import { SessionCookie } from '../../sessions/session-cookie.js';
import type { StartSignInRequest } from './dto/console-oidc.request.dto.js';

/** A browser's request to one of the routes, and the response. */
interface Visit {
  readonly provider: string;
  readonly request: Request;
  readonly response: Response;
}

/** Implements the operations of this API group. */
@Injectable()
export class ConsoleOidcService {
  constructor(
    private readonly starts: SignInStarts,
    private readonly signIns: ProviderSignIns,
    private readonly invitations: Invitations,
    private readonly browsers: BrowserSessions,
    private readonly cookie: SessionCookie,
    private readonly limit: SignInLimit,
  ) {}

  /**
   * Returns the URL of the provider's page. Throws a 403 if a page of another site sent the request, because that site
   * could sign the browser in to another person's account.
   */
  async start(visit: Visit, returnTo: unknown): Promise<string> {
    if (visit.request.headers['sec-fetch-site'] === 'cross-site')
      throw forbidden('A sign-in must start on a page of this service: open the sign-in page');
    return this.#begin(visit, returnTo, null);
  }

  async startInvited(visit: Visit, { invitation, return_to }: StartSignInRequest): Promise<string> {
    return this.#begin(visit, return_to, invitation === undefined ? null : await this.#invitation(visit, invitation));
  }

  /** Returns the path of the console page to open. */
  async complete({ provider, request, response }: Visit, place: CallerPlace): Promise<string> {
    const { state } = request.query;
    if (typeof state === 'string' && STATE.test(state))
      response.append('set-cookie', endingCookie(state, this.cookie.isSecure(request)));
    const [, query] = request.originalUrl.split(/\?(.*)/s);
    const { purpose, opened } = await this.signIns.complete({
      provider,
      search: query === undefined ? '' : `?${query}`,
      request,
      place,
      countFailure: () => this.limit.countFailure(request),
    });
    if (opened) {
      await this.browsers.replace(purpose.previousSessionId ?? undefined, opened, place);
      this.cookie.set(request, response, opened);
    }
    return purpose.returnTo;
  }

  async #begin(
    { provider, request, response }: Visit,
    returnTo: unknown,
    invitationId: string | null,
  ): Promise<string> {
    const previous = await this.browsers.of(request);
    const purpose = {
      returnTo: returnPath(returnTo),
      invitationId,
      linkSessionId: null,
      previousSessionId: previous?.id ?? null,
    };
    return this.starts.begin(provider, purpose, request, response);
  }

  async #invitation({ request }: Visit, token: string): Promise<string> {
    const invitation = await this.invitations.find(token);
    if (invitation) return invitation.id;
    await this.limit.countFailure(request);
    throw new SignInRefused('invitation_unusable');
  }
}

const STATE = /^[\w-]{43}$/;
