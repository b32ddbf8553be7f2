import { Injectable } from '@nestjs/common';
import { Sql, type SqlSession } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import type { AuditEntry, AuditRecord } from './audit-entry.js';

/** The filters of a list. An absent filter allows any value. */
export interface AuditQuery {
  readonly accountId?: string;
  readonly actor?: AuditRecord['actor'];
  readonly action?: string;
  readonly kind?: string;
  readonly id?: string;
  readonly keyHash?: string;
  readonly userId?: string;
  readonly since?: Date;
  readonly until?: Date;
  /** Only entries before the entry with this number. */
  readonly before?: bigint;
  readonly limit: number;
}

/**
 * The append-only record of management operations and of every use of a secret. An operation whose entry cannot be
 * written is refused. Record an operation in the transaction that performs it, and the use of a secret before the
 * secret is opened.
 */
@Injectable()
export class AuditTrail {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /**
   * `session`: the transaction of the recorded operation, so that the operation and the entry are committed together.
   * Without a session, the entry is committed immediately.
   */
  async record(entry: AuditEntry, session: SqlSession = this.sql): Promise<void> {
    const key = typeof entry.by === 'string' ? undefined : entry.by;
    const place = entry.place ?? key?.place;
    await session.query(
      `insert into audit_entry (at, account_id, actor, key_hash, user_id, action, resource_kind, resource_id, role,
         address, request_id, changes)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        this.clock.now(),
        key?.accountId ?? entry.accountId ?? null,
        typeof entry.by === 'string' ? entry.by : 'key',
        key?.keyHash ?? null,
        key?.creatorUserId ?? null,
        entry.action,
        entry.kind,
        entry.id,
        entry.role ?? null,
        place?.address ?? null,
        place?.requestId ?? null,
        entry.changes === undefined ? null : JSON.stringify(entry.changes),
      ],
    );
  }

  /** Newest first. */
  async list({ limit, ...query }: AuditQuery): Promise<AuditRecord[]> {
    const values: unknown[] = [];
    const conditions = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [`${CONDITIONS[name as keyof typeof CONDITIONS]} $${values.push(value)}`],
    );
    return this.sql.query<AuditRecord>(
      `select audit_entry.id as no, at, actor, account_id as "accountId", key_hash as "keyHash", user_id as "userId",
         action, resource_kind as kind, resource_id as id, role, address, request_id as "requestId", changes
       from audit_entry ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
       order by audit_entry.id desc limit $${values.push(limit)}`,
      values,
    );
  }
}

const CONDITIONS: Readonly<Record<Exclude<keyof AuditQuery, 'limit'>, string>> = {
  accountId: 'account_id =',
  actor: 'actor =',
  action: 'action =',
  kind: 'resource_kind =',
  id: 'resource_id =',
  keyHash: 'key_hash =',
  userId: 'user_id =',
  since: 'at >=',
  until: 'at <',
  before: 'audit_entry.id <',
};
