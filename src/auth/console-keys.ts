import { Injectable } from '@nestjs/common';
import type { SqlSession } from '../database/sql.js';
import type { Role } from '../kernel/access/permissions.js';
import { Clock } from '../kernel/clock.js';
import type { Nano } from '../kernel/money.js';
import { hashOfKey, labelOfKey, newKeySecret } from './key-secret.js';

/** The session of the console for which a key is created, and the properties of the key. */
interface SessionKeyHolder {
  readonly sessionId: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly keyClass: 'standard' | 'management';
  /** The role of the management key. */
  readonly role?: Role;
  /** Null = unlimited. */
  readonly limitNano: Nano | null;
}

/**
 * SQL condition for keys `k` that created no intern. A key that created an intern outlives its session, because the
 * intern's key is valid only as long as that key exists.
 */
const CREATED_NO_INTERN = 'not exists (select 1 from intern i where i.creator_key_no = k.no)';

/**
 * The keys with which console sessions act. A session uses its keys by their hashes. The secrets are discarded, so they
 * need no sealing and cannot be stolen. Rows of deleted keys are kept, because past usage refers to their names.
 */
@Injectable()
export class ConsoleKeys {
  constructor(private readonly clock: Clock) {}

  /** Returns the key's hash. */
  async mint(session: SqlSession, holder: SessionKeyHolder): Promise<string> {
    const secret = newKeySecret();
    const hash = hashOfKey(secret);
    await session.query(
      `insert into api_key (hash, account_id, workspace_id, key_class, name, label, disabled, include_byok_in_limit,
         creator_user_id, created_at, limit_nano, console_session_id, role)
       values ($1, $2, $3, $4, 'Console session', $5, false, false, $6, $7, $8, $9, $10)`,
      [
        hash,
        holder.accountId,
        holder.workspaceId,
        holder.keyClass,
        labelOfKey(secret),
        holder.userId,
        this.clock.now(),
        holder.limitNano,
        holder.sessionId,
        holder.role ?? null,
      ],
    );
    return hash;
  }

  async defaultWorkspace(session: SqlSession, accountId: string): Promise<string> {
    const [row] = await session.query<{ id: string }>(
      'select id from workspace where account_id = $1 and is_default for share',
      [accountId],
    );
    return row!.id;
  }

  /** Marks a key as deleted after its session has replaced it, unless the key created an intern. */
  async retire(session: SqlSession, hash: string): Promise<void> {
    await session.query(
      `update api_key k set deleted_at = $2 where k.hash = $1 and k.deleted_at is null and ${CREATED_NO_INTERN}`,
      [hash, this.clock.now()],
    );
  }

  /**
   * Marks as deleted the keys of sessions that have ended, except keys that created an intern. `sessionId`: only the
   * keys of this session.
   */
  async retireOrphans(session: SqlSession, sessionId: string | null = null): Promise<void> {
    await session.query(
      `update api_key k set deleted_at = $1
       where k.console_session_id is not null and k.deleted_at is null
         and ($2::uuid is null or k.console_session_id = $2)
         and not exists (select 1 from console_session s where s.id = k.console_session_id)
         and ${CREATED_NO_INTERN}`,
      [this.clock.now(), sessionId],
    );
  }
}
