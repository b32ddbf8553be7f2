import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import type { CallerPlace } from '../kernel/caller-place.js';
import { Clock } from '../kernel/clock.js';
import type { ConsoleSession } from './console-session.js';
import { ConsoleSessions } from './console-sessions.js';
import { SessionDirectory } from './session-directory.js';
import { tokenOf } from './session-cookie.js';
import { hashOfToken } from './session-token.js';
import type { OpenedSession } from './sign-ins.js';

/** The sessions of a browser before and after a sign-in. */
@Injectable()
export class BrowserSessions {
  constructor(
    private readonly directory: SessionDirectory,
    private readonly sessions: ConsoleSessions,
    private readonly clock: Clock,
  ) {}

  /** The session of the request's cookie; null if there is no valid session. */
  async of(request: IncomingMessage): Promise<ConsoleSession | null> {
    const token = tokenOf(request);
    return token === undefined ? null : this.directory.find(hashOfToken(token), this.clock.now());
  }

  /** Ends the session that the browser had before. */
  async replace(previousId: string | undefined, { session }: OpenedSession, place: CallerPlace): Promise<void> {
    if (previousId === undefined) return;
    const by = { accountId: session.accountId, keyHash: session.keys.main, creatorUserId: session.userId };
    await this.sessions.end(previousId, { action: 'sign_out', by, place });
  }
}
