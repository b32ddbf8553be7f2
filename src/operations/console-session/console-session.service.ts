import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { FailedKeys } from '../../auth/failed-keys.js';
import { refuseUnusable } from '../../auth/refuse-unusable.js';
import { SignInLimit } from '../../auth/sign-in-limit.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import { Clock } from '../../kernel/clock.js';
import { invalidRequest, unauthenticated } from '../../kernel/errors/errors.js';
import { ConsoleSessions } from '../../sessions/console-sessions.js';
import { SessionDirectory } from '../../sessions/session-directory.js';
import { hashOfToken, tokenOf } from '../../sessions/session-token.js';
import { SignIns, type OpenedSession } from '../../sessions/sign-ins.js';
import type { ConsoleSignInRequest } from './dto/console-session.request.dto.js';

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
    private readonly sessions: ConsoleSessions,
    private readonly directory: SessionDirectory,
    private readonly clock: Clock,
  ) {}

  /** Always a new session; the one that the browser had before ends. */
  async signIn({ code, key }: ConsoleSignInRequest, request: Request, place: CallerPlace): Promise<OpenedSession> {
    if ((code === undefined) === (key === undefined)) throw invalidRequest('Send either code or key');
    const countFailure = (): Promise<void> => this.limit.countFailure(request);
    const opened =
      code === undefined
        ? await this.signIns.byKey(key!, (known) => refuseUnusable(known, this.clock.now()), place, countFailure)
        : await this.signIns.byCode(code, place, countFailure);
    if (!opened) {
      const refusal = await this.failed.refusal(request);
      throw code === undefined || refusal.kind === 'rate_limited' ? refusal : unauthenticated(INVALID_CODE);
    }
    await this.#endPrevious(request, opened, place);
    return opened;
  }

  async #endPrevious(request: Request, { session }: OpenedSession, place: CallerPlace): Promise<void> {
    const token = tokenOf(request);
    const previous = token && (await this.directory.find(hashOfToken(token), this.clock.now()));
    if (!previous) return;
    const by = { accountId: session.accountId, keyHash: session.keys.main, creatorUserId: session.userId };
    await this.sessions.end(previous.id, { action: 'sign_out', by, place });
  }
}
