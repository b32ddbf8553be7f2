import { Injectable } from '@nestjs/common';
import type { AuditActor } from '../audit/audit-entry.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { Sql } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { conflict } from '../kernel/errors/errors.js';

/** A person at an identity provider. */
interface NewIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** The name of the provider in the configuration. */
  readonly provider: string;
}

/** Links identities to a user on behalf of another person, such as an administrator. */
@Injectable()
export class LinkedIdentities {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly audit: AuditTrail,
  ) {}

  /** Throws a 409 if a user already has the identity. */
  async link(userId: string, { issuer, subject, provider }: NewIdentity, by: AuditActor): Promise<void> {
    await this.sql.transaction(async (session) => {
      const linked = await session.query(
        `insert into user_identity (issuer, subject, provider, user_id, created_at, used_at)
         values ($1, $2, $3, $4, $5, $5) on conflict do nothing returning 1`,
        [issuer, subject, provider, userId, this.clock.now()],
      );
      if (linked.length === 0) throw conflict('This identity is already linked to a user');
      const id = `${userId}/${issuer} ${subject}`;
      await this.audit.record({ by, action: 'create', kind: 'user_identity', id }, session);
    });
  }
}
