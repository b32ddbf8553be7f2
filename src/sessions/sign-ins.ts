import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { ConsoleKeys } from '../auth/console-keys.js';
import { KeyDirectory } from '../auth/key-directory.js';
import type { KnownKey } from '../auth/known-key.js';
import { hashOfKey } from '../auth/key-secret.js';
import type { MemberId } from '../auth/member-keys.js';
import { Sql, type SqlSession } from '../database/sql.js';
import { PERMISSIONS, type Role } from '../kernel/access/permissions.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import { newId } from '../kernel/ids.js';
import { usdToNano } from '../kernel/money.js';
import { ConsoleCodes } from './console-codes.js';
import type { ConsoleSession, SessionIdentity, SessionOpening } from './console-session.js';
import { ConsoleSessions } from './console-sessions.js';

/** The spending limit of a session's calls until its user sets another one. */
export const DEFAULT_SESSION_LIMIT_NANO = usdToNano(5);

/** A member for whom a session is opened. */
export interface ActiveMember extends MemberId {
  readonly role: Role;
}

export interface OpenedSession {
  readonly session: ConsoleSession;
  /** The value of the cookie, returned once. */
  readonly token: string;
}

/** Called before a refusal is recorded. Throws if the client's address failed too often, so that no row is added. */
type CountFailure = () => Promise<void>;

/** Opens sessions of the console. */
@Injectable()
export class SignIns {
  constructor(
    private readonly sql: Sql,
    private readonly codes: ConsoleCodes,
    private readonly directory: KeyDirectory,
    private readonly keys: ConsoleKeys,
    private readonly sessions: ConsoleSessions,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Null if the code does not exist, was used or has expired, or if its owner is no longer a member. A code opens one
   * session, even with concurrent requests. `countFailure` throws if the address has failed too often.
   */
  async byCode(code: string, place: CallerPlace, countFailure: CountFailure): Promise<OpenedSession | null> {
    const opened = await this.sql.transaction(async (session) => {
      const owner = await this.codes.use(code, session);
      if (!owner?.role) return null;
      return this.openAs({ ...owner, role: owner.role }, 'code', place, session);
    });
    if (opened) return opened;
    await countFailure();
    return this.#recordRefusal('code', await this.codes.accountOf(code), place);
  }

  /**
   * Opens a session of a member in the caller's transaction. The main key of the session has the member's role. A key
   * for calls is created only if the role has the permission `inference`.
   */
  async openAs(
    { accountId, userId, role }: ActiveMember,
    openedBy: SessionOpening,
    place: CallerPlace,
    session: SqlSession,
    identity?: SessionIdentity,
  ): Promise<OpenedSession> {
    const id = newId();
    const workspaceId = await this.keys.defaultWorkspace(session, accountId);
    const holder = { accountId, userId, sessionId: id, workspaceId };
    const main = await this.keys.mint(session, { ...holder, keyClass: 'management', role, limitNano: null });
    const limitNano = DEFAULT_SESSION_LIMIT_NANO;
    const calls =
      PERMISSIONS.inference[role] === 'none'
        ? null
        : await this.keys.mint(session, { ...holder, keyClass: 'standard', limitNano });
    const opening = { id, accountId, userId, openedBy, keys: { main, calls } };
    const opened = await this.sessions.open(opening, null, session, identity);
    const by = { accountId, keyHash: main, creatorUserId: userId };
    await this.audit.record({ by, action: 'sign_in', kind: 'console_session', id, place }, session);
    return opened;
  }

  /** Null if there is no such key, or if it belongs to an intern. `admit` throws if the key may not be used. */
  async byKey(
    secret: string,
    admit: (key: KnownKey) => void,
    place: CallerPlace,
    countFailure: CountFailure,
  ): Promise<OpenedSession | null> {
    const hash = hashOfKey(secret);
    const key = await this.directory.find(hash);
    const accountId = key?.principal.accountId ?? null;
    if (!key || key.principal.keyClass === 'intern') {
      await countFailure();
      return this.#recordRefusal('key', accountId, place);
    }
    try {
      admit(key);
    } catch (error) {
      await countFailure();
      await this.#recordRefusal('key', accountId, place);
      throw error;
    }
    const { principal } = key;
    const opening = {
      id: newId(),
      accountId: principal.accountId,
      userId: principal.creatorUserId,
      openedBy: 'key',
      keys: { main: hash, calls: hash },
    } as const;
    return this.sql.transaction(async (session) => {
      const result = await this.sessions.open(opening, key.expiresAt, session);
      const entry = { by: principal, action: 'sign_in', kind: 'console_session', id: opening.id, place } as const;
      await this.audit.record(entry, session);
      return result;
    });
  }

  async #recordRefusal(opening: SessionOpening, accountId: string | null, place: CallerPlace): Promise<null> {
    await this.audit.record({
      by: 'service',
      action: 'sign_in_refused',
      kind: 'console_session',
      id: opening,
      accountId,
      place,
    });
    return null;
  }
}
