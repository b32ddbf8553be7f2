import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { CallerPlace } from '../../kernel/caller-place.js';
import { Clock } from '../../kernel/clock.js';
import { ConsoleSessions } from '../../sessions/console-sessions.js';
import { SessionDirectory } from '../../sessions/session-directory.js';
import { hashOfToken, tokenOf } from '../../sessions/session-token.js';
import type { OpenedSession } from '../../sessions/sign-ins.js';

/** Ends the session that a browser had before it signed in. */
@Injectable()
export class PreviousSession {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly directory: SessionDirectory,
    private readonly clock: Clock,
  ) {}

  async end(request: Request, { session }: OpenedSession, place: CallerPlace): Promise<void> {
    const token = tokenOf(request);
    const previous = token && (await this.directory.find(hashOfToken(token), this.clock.now()));
    if (!previous) return;
    const by = { accountId: session.accountId, keyHash: session.keys.main, creatorUserId: session.userId };
    await this.sessions.end(previous.id, { action: 'sign_out', by, place });
  }
}
