import { Injectable } from '@nestjs/common';
import type { AuditActor, AuditAction } from '../audit/audit-entry.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { Config } from '../config/config.js';
import { Sql, type SqlSession } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { conflict, notFound } from '../kernel/errors/errors.js';
import type { ConsoleSession } from '../sessions/console-session.js';
import { ConsoleSessions } from '../sessions/console-sessions.js';
import type { Person } from './person.js';
import { SignInRefused } from './sign-in-refused.js';
import { idOfIdentity, UserIdentities, type IdentityKey, type LinkedIdentity } from './user-identities.js';

interface LivingSession {
  readonly accountId: string;
  readonly userId: string;
  readonly keyHash: string;
}

/** Lets users manage the identities with which they sign in. */
@Injectable()
export class IdentityLinks {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly identities: UserIdentities,
    private readonly sessions: ConsoleSessions,
    private readonly audit: AuditTrail,
    private readonly config: Config,
  ) {}

  /**
   * Links the identity to the user of a session. Throws SignInRefused if the session has ended, or if another user has
   * the identity.
   */
  async link({ key, facts, provider, place }: Person, sessionId: string): Promise<void> {
    await this.sql.transaction(async (session) => {
      const [living] = await session.query<LivingSession>(
        `select account_id as "accountId", user_id as "userId", main_key_hash as "keyHash" from console_session
         where id = $1 and user_id is not null and expires_at > $2 for share`,
        [sessionId, this.clock.now()],
      );
      if (!living) throw new SignInRefused('session_ended');
      const known = await this.identities.lock(key, session);
      if (known !== null && known !== living.userId) throw new SignInRefused('identity_taken');
      if (known !== null) return this.identities.refresh(key, facts, session);
      await this.identities.link(key, living.userId, facts, session);
      const by = { accountId: living.accountId, keyHash: living.keyHash, creatorUserId: living.userId, place };
      await this.#record('create', provider.name, key, by, session);
    });
  }

  list(userId: string): Promise<LinkedIdentity[]> {
    return this.identities.list(userId);
  }

  /**
   * Removes the identity, and ends the sessions that were opened with it, except the current session. Throws a 404 for
   * an unknown id. Throws a 409 for the user's last identity if the user could then sign in only with a link from the
   * operator.
   */
  async unlink(userId: string, id: string, current: ConsoleSession, by: AuditActor): Promise<void> {
    const key = await this.sql.transaction(async (session) => {
      await session.query('select 1 from user_identity where user_id = $1 order by issuer, subject for update', [
        userId,
      ]);
      const linked = await this.identities.list(userId, session);
      const identity = linked.find((each) => idOfIdentity(each) === id);
      if (!identity) throw notFound('You have no identity with this id');
      if (linked.length === 1 && this.config.values.LOCAL_SIGN_IN === 'link')
        throw conflict('This is your last way to sign in: link another identity first');
      await this.identities.unlink(identity, session);
      await this.#record('delete', identity.provider, identity, by, session);
      return identity;
    });
    await this.sessions.endOfIdentity(key, { action: 'delete', by }, current.id);
  }

  async #record(
    action: AuditAction,
    provider: string,
    key: IdentityKey,
    by: AuditActor,
    session: SqlSession,
  ): Promise<void> {
    const id = `${provider}/${idOfIdentity(key)}`;
    await this.audit.record({ by, action, kind: 'user_identity', id }, session);
  }
}
