import { Injectable } from '@nestjs/common';
import type { AuditActor } from '../audit/audit-entry.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { MemberKeys, type MemberId } from '../auth/member-keys.js';
import type { SqlSession } from '../database/sql.js';
import { isAbove, PERMISSIONS, ROLES, type Role } from '../kernel/access/permissions.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import { ConsoleCodes } from '../sessions/console-codes.js';
import { ConsoleSessions, type EndedSession } from '../sessions/console-sessions.js';

/** The member whose access changes, and the person who changes it. */
interface AccessChange {
  readonly holder: MemberId;
  readonly by: AuditActor;
  readonly place?: CallerPlace;
  readonly session: SqlSession;
}

/** The keys and sessions that ended or changed. The caller passes this object to `forget` after the commit. */
export interface EndedAccess {
  readonly keyHashes: readonly string[];
  readonly sessions: readonly EndedSession[];
}

/**
 * Changes the keys, sessions and codes of a member when the membership changes. Sessions end before their keys are
 * changed, because the end of a session locks the row of the session before the rows of its keys.
 */
@Injectable()
export class MemberAccess {
  constructor(
    private readonly keys: MemberKeys,
    private readonly sessions: ConsoleSessions,
    private readonly codes: ConsoleCodes,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Ends the sessions, because their keys have the former role. If the new role may have management keys, keys with a
   * higher role are lowered to it; otherwise all management keys are disabled.
   */
  async adjust(change: AccessChange, role: Role): Promise<EndedAccess> {
    const { holder, session } = change;
    const above = ROLES.filter((other) => isAbove(other, role));
    const isManager = PERMISSIONS['keys.manage'][role] !== 'none';
    const keyHashes = isManager
      ? await this.keys.lower(session, holder, role, above)
      : await this.keys.disable(session, holder, 'management');
    await this.#recordKeys(change, keyHashes, isManager ? role : undefined);
    return { keyHashes, sessions: await this.#endSessions(change) };
  }

  /** Disables every key and ends every session of the member. */
  async end(change: AccessChange): Promise<EndedAccess> {
    const { holder, session } = change;
    const own = await this.keys.disable(session, holder, 'own');
    const sessions = await this.#endSessions(change);
    // The keys of ended sessions were already deleted, except for a key that created an intern.
    const keyHashes = [...own, ...(await this.keys.disable(session, holder, 'session'))];
    await this.codes.discard(holder, session);
    await this.#recordKeys(change, keyHashes);
    return { keyHashes, sessions };
  }

  /** Applies the changes in this process immediately, before the notification arrives. */
  forget({ keyHashes, sessions }: EndedAccess): void {
    this.keys.forget(keyHashes);
    this.sessions.forget(sessions);
  }

  #endSessions({ holder, by, place, session }: AccessChange): Promise<EndedSession[]> {
    return this.sessions.endAll(holder, { action: 'delete', by, place }, session);
  }

  async #recordKeys(
    { holder: { accountId }, by, place, session }: AccessChange,
    hashes: string[],
    role?: Role,
  ): Promise<void> {
    for (const id of hashes)
      await this.audit.record({ by, action: 'update', kind: 'api_key', id, role, accountId, place }, session);
  }
}
