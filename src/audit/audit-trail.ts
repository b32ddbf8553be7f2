import { Injectable } from '@nestjs/common';
import { Sql, type SqlSession } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import type { AuditEntry, AuditRecord } from './audit-entry.js';

export interface AuditQuery {
  readonly accountId?: string;
  readonly kind?: string;
  readonly id?: string;
  readonly keyHash?: string;
  readonly since?: Date;
  readonly limit: number;
}

/**
 * The append-only record of management and of every use of a secret. An operation whose row cannot be written is refused: write it
 * in the operation's own transaction, and before a secret is opened.
 */
@Injectable()
export class AuditTrail {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** `session`: the transaction of what is recorded, so that both happen or neither. Without one the row stands by itself. */
  async record(entry: AuditEntry, session: SqlSession = this.sql): Promise<void> {
    const key = typeof entry.by === 'string' ? undefined : entry.by;
    await session.query(
      `insert into audit_entry (at, account_id, actor, key_hash, user_id, action, resource_kind, resource_id, address, request_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        this.clock.now(),
        key?.accountId ?? entry.accountId ?? null,
        typeof entry.by === 'string' ? entry.by : 'key',
        key?.keyHash ?? null,
        key?.creatorUserId ?? null,
        entry.action,
        entry.kind,
        entry.id,
        entry.place?.address ?? null,
        entry.place?.requestId ?? null,
      ],
    );
  }

  /** Newest first. */
  async list(query: AuditQuery): Promise<AuditRecord[]> {
    return this.sql.query<AuditRecord>(
      `select at, actor, account_id as "accountId", key_hash as "keyHash", user_id as "userId", action, resource_kind as kind, resource_id as id, address, request_id as "requestId"
       from audit_entry
       where ($1::uuid is null or account_id = $1) and ($2::text is null or resource_kind = $2) and ($3::text is null or resource_id = $3)
         and ($4::text is null or key_hash = $4) and ($5::timestamptz is null or at >= $5)
       order by audit_entry.id desc limit $6`,
      [
        query.accountId ?? null,
        query.kind ?? null,
        query.id ?? null,
        query.keyHash ?? null,
        query.since ?? null,
        query.limit,
      ],
    );
  }
}
