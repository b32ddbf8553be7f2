import { Injectable } from '@nestjs/common';
import type { AuditActor } from '../audit/audit-entry.js';
import { Sql } from '../database/sql.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import { ConsoleSessions } from '../sessions/console-sessions.js';

/** Selects sessions of the console; absent = any. */
export interface OpenedByIdentity {
  readonly issuer: string;
  readonly subject?: string;
  readonly providerSessionId?: string;
}

interface IdentityEnd {
  readonly action: 'sign_out' | 'delete';
  readonly by: AuditActor;
  readonly place: CallerPlace;
}

/** The sessions that were opened with identities. */
@Injectable()
export class IdentitySessions {
  constructor(
    private readonly sql: Sql,
    private readonly sessions: ConsoleSessions,
  ) {}

  /** Ends the selected sessions on every replica, except the session `keptId`. */
  async end(
    { issuer, subject, providerSessionId }: OpenedByIdentity,
    how: IdentityEnd,
    keptId?: string,
  ): Promise<void> {
    const found = await this.sql.query<{ id: string }>(
      `select id from console_session where issuer = $1 and ($2::text is null or subject = $2)
         and ($3::text is null or provider_session_id = $3) and id is distinct from $4`,
      [issuer, subject ?? null, providerSessionId ?? null, keptId ?? null],
    );
    for (const { id } of found) await this.sessions.end(id, how);
  }
}
