import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { ConsoleKeys } from '../auth/console-keys.js';
import { KeyDirectory, type KnownKey } from '../auth/key-directory.js';
import { hashOfKey } from '../auth/key-secret.js';
import { Sql } from '../database/sql.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import { newId } from '../kernel/ids.js';
import { usdToNano } from '../kernel/money.js';
import { ConsoleCodes } from './console-codes.js';
import type { ConsoleSession, SessionOpening } from './console-session.js';
import { ConsoleSessions } from './console-sessions.js';

/** What the calls of a session may cost until its user sets another limit. */
export const DEFAULT_SESSION_LIMIT_NANO = usdToNano(5);

export interface OpenedSession {
  readonly session: ConsoleSession;
  /** The value of the cookie, returned once. */
  readonly token: string;
}

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

  /** Null if the code does not exist, was used or has expired. One use opens one session, whatever runs at once. */
  async byCode(code: string, place: CallerPlace): Promise<OpenedSession | null> {
    const opened = await this.sql.transaction(async (session) => {
      const owner = await this.codes.use(code, session);
      if (!owner) return null;
      const id = newId();
      const workspaceId = await this.keys.defaultWorkspace(session, owner.accountId);
      const holder = { ...owner, sessionId: id, workspaceId };
      const keys = {
        main: await this.keys.mint(session, { ...holder, keyClass: 'management', limitNano: null }),
        calls: await this.keys.mint(session, {
          ...holder,
          keyClass: 'standard',
          limitNano: DEFAULT_SESSION_LIMIT_NANO,
        }),
      };
      const { accountId, userId } = owner;
      const result = await this.sessions.open({ id, accountId, userId, openedBy: 'code', keys }, null, session);
      const by = { accountId, keyHash: keys.main, creatorUserId: userId };
      await this.audit.record({ by, action: 'sign_in', kind: 'console_session', id, place }, session);
      return result;
    });
    return opened ?? this.#refuse('code', await this.codes.accountOf(code), place);
  }

  /** Null if there is no such key, or if it is an intern's. `admit` throws if the key may not be used. */
  async byKey(secret: string, admit: (key: KnownKey) => void, place: CallerPlace): Promise<OpenedSession | null> {
    const hash = hashOfKey(secret);
    const key = await this.directory.find(hash);
    const accountId = key?.principal.accountId ?? null;
    if (!key || key.principal.keyClass === 'intern') return this.#refuse('key', accountId, place);
    try {
      admit(key);
    } catch (error) {
      await this.#refuse('key', accountId, place);
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

  async #refuse(opening: SessionOpening, accountId: string | null, place: CallerPlace): Promise<null> {
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
