import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { sessionOf } from '../database/session-of.js';
import { SignIns, type OpenedSession } from '../sessions/sign-ins.js';
import { IdentityUsers } from './identity-users.js';
import type { Person } from './person.js';
import { ProvidedRoles } from './provided-roles.js';
import { SignInRefused } from './sign-in-refused.js';
import { idOfIdentity, UserIdentities } from './user-identities.js';

/** Opens the session of a confirmed person. */
@Injectable()
export class IdentitySignIns {
  constructor(
    private readonly em: EntityManager,
    private readonly identities: UserIdentities,
    private readonly users: IdentityUsers,
    private readonly roles: ProvidedRoles,
    private readonly signIns: SignIns,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Runs in one transaction. Throws SignInRefused. A refusal that ProvidedRoles returns commits the transaction, which
   * may have deactivated the member; other refusals roll it back.
   */
  async open(person: Person, invitationId: string | null): Promise<OpenedSession> {
    const opened = await this.em.fork().transactional((em) => this.#open(person, invitationId, em));
    if (opened instanceof SignInRefused) throw opened;
    return opened;
  }

  async #open(person: Person, invitationId: string | null, em: EntityManager): Promise<OpenedSession | SignInRefused> {
    const session = sessionOf(em);
    const known = await this.identities.lock(person.key, session);
    if (known !== null) await this.identities.refresh(person.key, person.facts, session);
    const userId =
      invitationId === null
        ? (known ?? (await this.users.found(person, em)))
        : await this.users.invited(person, invitationId, known, em);
    const member = await this.roles.of(person, userId, em);
    if (member instanceof SignInRefused) return member;
    const { sid } = person.claims;
    const providerSessionId = typeof sid === 'string' ? sid : null;
    const identity = { ...person.key, providerSessionId };
    const opened = await this.signIns.openAs(member, 'oidc', person.place, session, identity);
    const by = { accountId: member.accountId, keyHash: opened.session.keys.main, creatorUserId: userId };
    const entry = { by, kind: 'user_identity', id: `${person.provider.name}/${idOfIdentity(person.key)}` } as const;
    if (known === null) await this.audit.record({ ...entry, action: 'create', place: person.place }, session);
    await this.audit.record({ ...entry, action: 'sign_in', place: person.place }, session);
    return opened;
  }
}
