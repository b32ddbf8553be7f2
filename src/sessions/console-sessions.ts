import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { AuditActor } from '../audit/audit-entry.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { ConsoleKeys } from '../auth/console-keys.js';
import type { MemberId } from '../auth/member-keys.js';
import { Sql, type SqlSession } from '../database/sql.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import { Clock } from '../kernel/clock.js';
import { Periodic } from '../kernel/scheduling/periodic.js';
import type { ConsoleSession, SessionIdentity } from './console-session.js';
import { SessionDirectory } from './session-directory.js';
import { hashOfToken, newSessionToken } from './session-token.js';

const MAX_SESSION_MS = 43_200_000;
const SWEEP_EVERY_MS = 60_000;

export interface ListedSession extends Omit<ConsoleSession, 'tokenHash' | 'keys'> {
  readonly createdAt: Date;
}

/** One of the sessions that `endAll` ended. */
export interface EndedSession {
  readonly id: string;
  readonly tokenHash: string;
}

interface SessionEnd {
  readonly action: 'sign_out' | 'delete';
  readonly by: AuditActor;
  readonly place?: CallerPlace;
}

/** Selects the sessions that an identity opened. An absent property matches every session. */
interface OpenedByIdentity {
  readonly issuer: string;
  readonly subject?: string;
  readonly providerSessionId?: string;
}

/** Selects which sessions of a member to end. Without a condition, all sessions of the member end. */
interface EndedSelection {
  readonly exceptId?: string;
  /** Only sessions whose calls use this workspace. */
  readonly workspaceId?: string;
}

const LISTED = `id, account_id as "accountId", user_id as "userId", opened_by as "openedBy",
  created_at as "createdAt", expires_at as "expiresAt"`;

/**
 * Opens, changes and ends the sessions of the console. Only the hash of a session's token is stored. Expired sessions
 * are refused, and deleted later.
 */
@Injectable()
export class ConsoleSessions implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(ConsoleSessions.name);
  readonly #sweeps = new Periodic(
    () => this.sweep(),
    (error) => this.#log.warn(`The sweep of sessions failed and will be retried: ${error.message}`),
  );

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly keys: ConsoleKeys,
    private readonly directory: SessionDirectory,
    private readonly audit: AuditTrail,
  ) {}

  onApplicationBootstrap(): void {
    this.#sweeps.start(SWEEP_EVERY_MS);
  }

  onModuleDestroy(): Promise<void> {
    return this.#sweeps.stop();
  }

  /** The session ends MAX_SESSION_MS from now, or at `endsAt` (Unix milliseconds) if that is earlier. */
  async open(
    opened: Omit<ConsoleSession, 'tokenHash' | 'expiresAt'>,
    endsAt: number | null,
    session: SqlSession,
    identity?: SessionIdentity,
  ): Promise<{ session: ConsoleSession; token: string }> {
    const token = newSessionToken();
    const now = this.clock.now();
    const expiresAt = new Date(Math.min(now.getTime() + MAX_SESSION_MS, endsAt ?? Infinity));
    const tokenHash = hashOfToken(token);
    await session.query(
      `insert into console_session (id, token_hash, account_id, user_id, opened_by, main_key_hash, calls_key_hash,
         created_at, expires_at, issuer, subject, provider_session_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        opened.id,
        tokenHash,
        opened.accountId,
        opened.userId,
        opened.openedBy,
        opened.keys.main,
        opened.keys.calls,
        now,
        expiresAt,
        identity?.issuer ?? null,
        identity?.subject ?? null,
        identity?.providerSessionId ?? null,
      ],
    );
    return { session: { ...opened, tokenHash, expiresAt }, token };
  }

  /** Replaces the key of the session's calls. `mint` creates the new key in the same transaction. */
  async replaceCallsKey(
    { id, tokenHash }: ConsoleSession,
    mint: (session: SqlSession) => Promise<string>,
  ): Promise<string> {
    const hash = await this.sql.transaction(async (session) => {
      const [before] = await session.query<{ hash: string }>(
        'select calls_key_hash as hash from console_session where id = $1 for update',
        [id],
      );
      const minted = await mint(session);
      await session.query('update console_session set calls_key_hash = $2 where id = $1', [id, minted]);
      if (before) await this.keys.retire(session, before.hash);
      return minted;
    });
    this.directory.forget(tokenHash);
    return hash;
  }

  /**
   * Ends a session on every replica and deletes the keys that were created for it. False if there is no such session.
   */
  async end(id: string, { action, by, place }: SessionEnd): Promise<boolean> {
    const ended = await this.sql.transaction(async (session) => {
      const [row] = await session.query<{ token_hash: string; account_id: string }>(
        'delete from console_session where id = $1 returning token_hash, account_id',
        [id],
      );
      if (!row) return undefined;
      await this.keys.retireOrphans(session, id);
      await this.audit.record({ by, action, kind: 'console_session', id, accountId: row.account_id, place }, session);
      return row;
    });
    if (ended) this.directory.forget(ended.token_hash);
    return ended !== undefined;
  }

  /**
   * Ends the sessions of a member in the caller's transaction, and deletes the keys that were created for them. Call
   * `forget` after the commit.
   */
  async endAll(
    { accountId, userId }: MemberId,
    { action, by, place }: SessionEnd,
    session: SqlSession,
    { exceptId, workspaceId }: EndedSelection = {},
  ): Promise<EndedSession[]> {
    const ended = await session.query<EndedSession>(
      `delete from console_session s where s.account_id = $1 and s.user_id = $2 and s.id is distinct from $3::uuid
         and ($4::uuid is null or exists (
           select 1 from api_key k where k.hash = s.calls_key_hash and k.workspace_id = $4))
       returning s.id, s.token_hash as "tokenHash"`,
      [accountId, userId, exceptId ?? null, workspaceId ?? null],
    );
    for (const { id } of ended) {
      await this.keys.retireOrphans(session, id);
      await this.audit.record({ by, action, kind: 'console_session', id, accountId, place }, session);
    }
    return ended;
  }

  /** Ends, on every replica, the sessions that an identity opened, except the session `keptId`. */
  async endOfIdentity(
    { issuer, subject, providerSessionId }: OpenedByIdentity,
    end: SessionEnd,
    keptId?: string,
  ): Promise<void> {
    const found = await this.sql.query<{ id: string }>(
      `select id from console_session where issuer = $1 and ($2::text is null or subject = $2)
         and ($3::text is null or provider_session_id = $3) and id is distinct from $4`,
      [issuer, subject ?? null, providerSessionId ?? null, keptId ?? null],
    );
    for (const { id } of found) await this.end(id, end);
  }

  /** Ends the other sessions of the member of `current`. Returns the number of ended sessions. */
  async endOthers(current: ConsoleSession, end: SessionEnd): Promise<number> {
    const { accountId, userId, id: exceptId } = current;
    if (userId === null) return 0;
    const ended = await this.sql.transaction((session) =>
      this.endAll({ accountId, userId }, end, session, { exceptId }),
    );
    this.forget(ended);
    return ended.length;
  }

  /** The sessions of the session's member, newest first. If the session has no member, only the session itself. */
  ofMember({ id, accountId, userId }: ConsoleSession): Promise<ListedSession[]> {
    return this.sql.query<ListedSession>(
      `select ${LISTED} from console_session
       where expires_at > $1 and (id = $2 or account_id = $3 and user_id = $4) order by created_at desc, id`,
      [this.clock.now(), id, accountId, userId],
    );
  }

  /** Removes ended sessions from the cache of this process, without waiting for the notification. */
  forget(ended: readonly EndedSession[]): void {
    for (const { tokenHash } of ended) this.directory.forget(tokenHash);
  }

  /** The sessions that have not expired, newest first. */
  list(): Promise<ListedSession[]> {
    return this.sql.query<ListedSession>(
      `select ${LISTED} from console_session where expires_at > $1 order by created_at desc, id`,
      [this.clock.now()],
    );
  }

  /** Deletes expired sessions and codes, and the keys of deleted sessions. */
  async sweep(): Promise<void> {
    const now = this.clock.now();
    await this.sql.query('delete from console_code where expires_at <= $1', [now]);
    await this.sql.query('delete from console_session where expires_at <= $1', [now]);
    await this.keys.retireOrphans(this.sql);
  }
}
