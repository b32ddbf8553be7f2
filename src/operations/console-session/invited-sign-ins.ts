import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import type { SqlSession } from '../../database/sql.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import { notFound, type GatewayError } from '../../kernel/errors/errors.js';
import { Invitations, type Invitation } from '../../members/invitations.js';
import { SignIns, type OpenedSession } from '../../sessions/sign-ins.js';
import { Accounts } from '../../tenancy/accounts.js';

/** One error for all causes: unknown, used, expired, revoked, or restricted to an address. */
const refusal = (): GatewayError =>
  notFound('This invitation does not exist, or it was used, revoked or is older than seven days: ask for a new one');

/** Signs in with the link of an invitation, and creates a user without an identity at a provider. */
@Injectable()
export class InvitedSignIns {
  constructor(
    private readonly invitations: Invitations,
    private readonly accounts: Accounts,
    private readonly signIns: SignIns,
    private readonly audit: AuditTrail,
  ) {}

  /** Throws a 404 if the token cannot be used. One invitation creates one member, even with concurrent requests. */
  async byToken(
    token: string,
    name: string,
    place: CallerPlace,
    countFailure: () => Promise<void>,
  ): Promise<OpenedSession> {
    const invitation = await this.invitations.find(token);
    const opened = invitation?.email === null ? await this.#open(invitation, name, place) : null;
    if (opened) return opened;
    await countFailure();
    const entry = { by: 'service', action: 'sign_in_refused', kind: 'console_session', id: 'invitation' } as const;
    await this.audit.record({ ...entry, accountId: invitation?.accountId ?? null, place });
    throw refusal();
  }

  /** Null if the invitation can no longer be used. */
  async #open(invitation: Invitation, name: string, place: CallerPlace): Promise<OpenedSession | null> {
    let opened: OpenedSession | undefined;
    try {
      await this.accounts.createUser(name, null, async ({ id: userId }, session) => {
        opened = await this.#join(invitation, userId, place, session);
      });
    } catch (error) {
      if (error instanceof UsedUp) return null;
      throw error;
    }
    return opened!;
  }

  async #join({ id }: Invitation, userId: string, place: CallerPlace, session: SqlSession): Promise<OpenedSession> {
    const used = await this.invitations.use(id, { userId, verifiedEmail: null }, session, place);
    if (!used) throw new UsedUp();
    return this.signIns.openAs({ accountId: used.accountId, userId, role: used.role }, 'code', place, session);
  }
}

/** Thrown to roll back the creation of the user. */
class UsedUp extends Error {}
