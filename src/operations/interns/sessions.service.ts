import { Injectable } from '@nestjs/common';
import { InternSessions } from '../../interns/intern-sessions.js';
import { internErrors } from '../../interns/intern.errors.js';
import { Interns } from '../../interns/interns.js';
import type { Principal } from '../../kernel/principal.js';
import type { ListSessionsRequest } from './dto/list-interns.request.dto.js';
import type { SessionListResponse } from './dto/session.response.dto.js';
import { toActor } from './interns.wire.js';
import { isAfter, placeOfSessionCursor, toSessionList } from './sessions.wire.js';

const DEFAULT_LIMIT = 100;

/**
 * The operations on the sessions of an intern. Methods throw HeldElsewhere or Moving unless this replica runs the
 * intern.
 */
@Injectable()
export class SessionsService {
  constructor(
    private readonly interns: Interns,
    private readonly sessions: InternSessions,
  ) {}

  async list(
    id: string,
    { limit = DEFAULT_LIMIT, starting_after }: ListSessionsRequest,
    caller: Principal,
  ): Promise<SessionListResponse> {
    const place = starting_after === undefined ? null : placeOfSessionCursor(starting_after);
    if (place === undefined)
      throw internErrors.invalidBody('starting_after must be the next_cursor of an earlier page');
    const all = await this.sessions.list(await this.interns.get(toActor(caller), id));
    const found = place === null ? all : all.filter((session) => isAfter(session, place));
    return toSessionList(found.slice(0, limit), found.length > limit);
  }

  async delete(id: string, sessionId: string, caller: Principal): Promise<void> {
    const actor = toActor(caller);
    await this.sessions.delete(await this.interns.get(actor, id), sessionId, actor);
  }
}
