import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { FailedKeys } from '../../auth/failed-keys.js';
import { refuseUnusable } from '../../auth/refuse-unusable.js';
import { SignInLimit } from '../../auth/sign-in-limit.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import { Clock } from '../../kernel/clock.js';
import { invalidRequest, unauthenticated } from '../../kernel/errors/errors.js';
import { SignIns, type OpenedSession } from '../../sessions/sign-ins.js';
import { DEFAULT_USER_NAME, type ConsoleSignInRequest } from './dto/console-session.request.dto.js';
import { InvitedSignIns } from './invited-sign-ins.js';
import { PreviousSession } from './previous-session.js';

const INVALID_CODE =
  'This code does not sign in: it was used already or is older than five minutes. `operator console-link` prints a ' +
  'new link.';

/** Signs browsers in and out. */
@Injectable()
export class ConsoleSessionService {
  constructor(
    private readonly signIns: SignIns,
    private readonly limit: SignInLimit,
    private readonly failed: FailedKeys,
    private readonly invited: InvitedSignIns,
    private readonly previous: PreviousSession,
    private readonly clock: Clock,
  ) {}

  /** Always a new session; the one that the browser had before ends. */
  async signIn(
    { code, key, invitation, name }: ConsoleSignInRequest,
    request: Request,
    place: CallerPlace,
  ): Promise<OpenedSession> {
    if ([code, key, invitation].filter((each) => each !== undefined).length !== 1)
      throw invalidRequest('Send one of code, key and invitation');
    if (name !== undefined && invitation === undefined) throw invalidRequest('name goes with an invitation');
    const opened =
      invitation === undefined
        ? await this.#byCodeOrKey({ code, key }, request, place)
        : await this.invited.byToken(invitation, name ?? DEFAULT_USER_NAME, place, () =>
            this.limit.countFailure(request),
          );
    await this.previous.end(request, opened, place);
    return opened;
  }

  async #byCodeOrKey(
    { code, key }: ConsoleSignInRequest,
    request: Request,
    place: CallerPlace,
  ): Promise<OpenedSession> {
    const countFailure = (): Promise<void> => this.limit.countFailure(request);
    const opened =
      code === undefined
        ? await this.signIns.byKey(key!, (known) => refuseUnusable(known, this.clock.now()), place, countFailure)
        : await this.signIns.byCode(code, place, countFailure);
    if (opened) return opened;
    const refusal = await this.failed.refusal(request);
    throw code === undefined || refusal.kind === 'rate_limited' ? refusal : unauthenticated(INVALID_CODE);
  }
}
