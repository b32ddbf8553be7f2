import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { SignInLimit } from '../../auth/sign-in-limit.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import { BrowserSessions } from '../../sessions/browser-sessions.js';
import type { OpenedSession } from '../../sessions/sign-ins.js';
import { DEFAULT_USER_NAME, type ConsoleSignInRequest } from './dto/console-session.request.dto.js';
import { InvitedSignIns } from './invited-sign-ins.js';
import { LocalSignIns } from './local-sign-ins.js';

/** Opens a session for a browser. */
@Injectable()
export class ConsoleSessionService {
  constructor(
    private readonly local: LocalSignIns,
    private readonly limit: SignInLimit,
    private readonly invited: InvitedSignIns,
    private readonly browsers: BrowserSessions,
  ) {}

  /** Always opens a new session. The previous session of the browser ends. */
  async signIn(
    { code, key, invitation, name }: ConsoleSignInRequest,
    request: Request,
    place: CallerPlace,
  ): Promise<OpenedSession> {
    if ([code, key, invitation].filter((each) => each !== undefined).length !== 1)
      throw invalidRequest('Send exactly one of code, key and invitation');
    if (name !== undefined && invitation === undefined) throw invalidRequest('name requires an invitation');
    if (invitation !== undefined) this.local.assertTakesInvitations();
    const opened =
      invitation === undefined
        ? await this.local.byCodeOrKey({ code, key }, request, place)
        : await this.invited.byToken(invitation, name ?? DEFAULT_USER_NAME, place, () =>
            this.limit.countFailure(request),
          );
    await this.browsers.replace((await this.browsers.of(request))?.id, opened, place);
    return opened;
  }
}
