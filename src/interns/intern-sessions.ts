import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import type { SessionSummary } from '../runtimes/turn.js';
import { chatErrors } from './intern-chat.errors.js';
import { auditActorOf, type Actor, type InternRecord } from './intern-record.js';
import { InternTurns } from './intern-turns.js';
import { RuntimeFinder } from './turns/runtime-finder.js';
import { within } from './work/time-limit.js';

const RUNTIME_TIMEOUT_MS = 8_000;

/** The conversations on an intern's disk. The intern's runtime reads and deletes them. */
@Injectable()
export class InternSessions {
  constructor(
    private readonly finder: RuntimeFinder,
    private readonly turns: InternTurns,
    private readonly audit: AuditTrail,
  ) {}

  /** Newest first. Throws HeldElsewhere, Moving and chat errors. */
  async list(intern: InternRecord): Promise<SessionSummary[]> {
    const runtime = await this.finder.find(intern);
    const sessions = await reached(() => runtime.sessions());
    return sessions.toSorted((a, b) => b.createdAt - a.createdAt || (a.sessionId < b.sessionId ? 1 : -1));
  }

  /** Throws HeldElsewhere, Moving and chat errors, such as `busy` while a turn of the session is running. */
  async delete(intern: InternRecord, sessionId: string, actor: Actor): Promise<void> {
    const runtime = await this.finder.find(intern);
    if (this.turns.isRunning(intern.id, sessionId))
      throw chatErrors.busy('A run of this session is in progress: try again when it has finished');
    const sessions = await reached(() => runtime.sessions());
    if (!sessions.some((session) => session.sessionId === sessionId)) throw chatErrors.sessionNotFound();
    await this.audit.record({
      by: auditActorOf(actor),
      action: 'delete',
      kind: 'intern_session',
      id: `${intern.id}/${sessionId}`,
    });
    if (!(await reached(() => runtime.deleteSession(sessionId)))) throw chatErrors.sessionNotFound();
  }
}

async function reached<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await within({ ms: RUNTIME_TIMEOUT_MS }, call);
  } catch (error) {
    throw chatErrors.unreachable(error);
  }
}
