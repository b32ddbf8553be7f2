import { Injectable } from '@nestjs/common';
import { notFound } from '../../kernel/errors/errors.js';
import type { Principal } from '../../kernel/principal.js';
import type { ConsoleSession } from '../../sessions/console-session.js';
import { ConsoleSessions, type ListedSession } from '../../sessions/console-sessions.js';

/** The sessions of the signed-in member. */
@Injectable()
export class ConsoleSessionsService {
  constructor(private readonly sessions: ConsoleSessions) {}

  list(current: ConsoleSession): Promise<ListedSession[]> {
    return this.sessions.ofMember(current);
  }

  /** Throws a 404 if the member has no such session. */
  async end(id: string, current: ConsoleSession, by: Principal): Promise<void> {
    const sessions = await this.sessions.ofMember(current);
    const own = sessions.find((session) => session.id === id.toLowerCase());
    if (!own || !(await this.sessions.end(own.id, { action: 'sign_out', by })))
      throw notFound('You have no session with this id');
  }

  endOthers(current: ConsoleSession, by: Principal): Promise<number> {
    return this.sessions.endOthers(current, { action: 'sign_out', by });
  }
}
