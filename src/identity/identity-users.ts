import { raw, UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Member } from '../database/entities/member.entity.js';
import { User } from '../database/entities/user.entity.js';
import { sessionOf } from '../database/session-of.js';
import { Clock } from '../kernel/clock.js';
import { newId } from '../kernel/ids.js';
import { verifiedAddress } from './verified-address.js';
import { Invitations } from '../members/invitations.js';
import { Memberships } from '../members/memberships.js';
import type { Person } from './person.js';
import { roleOfGroups } from './role-of-groups.js';
import { SignInRefused } from './sign-in-refused.js';
import { UserIdentities } from './user-identities.js';

/** Finds or creates the user for an identity without a user, and links the identity to this user. */
@Injectable()
export class IdentityUsers {
  constructor(
    private readonly identities: UserIdentities,
    private readonly invitations: Invitations,
    private readonly members: Memberships,
    private readonly clock: Clock,
  ) {}

  /**
   * Uses an invitation, which determines the account, the role and the workspaces. `known`: the user who already has
   * the identity; null = none. Throws SignInRefused if the invitation cannot be used, or if the address belongs to a
   * user to whom the identity may not be linked (#ofAddress).
   */
  async invited(person: Person, invitationId: string, known: string | null, em: EntityManager): Promise<string> {
    const { claims, place } = person;
    const userId = known ?? (await this.#ofAddress(person, em)) ?? (await this.#create(person, em));
    const verifiedEmail = verifiedAddress(claims);
    const used = await this.invitations.use(invitationId, { userId, verifiedEmail }, sessionOf(em), place);
    if (!used) throw new SignInRefused('invitation_unusable');
    if (known === null) {
      // Set the address of the invitation, because the inviter knows the person by this address.
      if (used.email !== null && !(await this.#withAddress(verifiedEmail!, em)))
        em.assign(await em.findOneOrFail(User, { id: userId }), { email: verifiedEmail });
      await em.flush();
      await this.#link(person, userId, em);
    }
    return userId;
  }

  /**
   * Finds the user by a verified address. If no user has it, creates a user with the role of the person's groups or the
   * default role. Throws SignInRefused if the person gets no role, or if the address belongs to a user to whom the
   * identity may not be linked (#ofAddress).
   */
  async found(person: Person, em: EntityManager): Promise<string> {
    const userId = (await this.#ofAddress(person, em)) ?? (await this.#join(person, em));
    await this.#link(person, userId, em);
    return userId;
  }

  async #link({ key, facts }: Person, userId: string, em: EntityManager): Promise<void> {
    await this.identities.link(key, userId, facts, sessionOf(em));
  }

  /**
   * Returns the user with the person's address; null if there is none. The user must be an active member of the
   * account, must have no identity, and must not be owner or admin of any account. Throws a 409 for other users.
   */
  async #ofAddress({ address, accountId }: Person, em: EntityManager): Promise<string | null> {
    if (address === null) return null;
    const user = await this.#withAddress(address, em);
    if (!user) return null;
    const memberships = await em.find(Member, { userId: user.id });
    const isHarmless = memberships.every(({ role }) => role !== 'owner' && role !== 'admin');
    const isActive = memberships.some((member) => member.accountId === accountId && member.deactivatedAt === null);
    const isUnlinked = (await this.identities.list(user.id, sessionOf(em))).length === 0;
    if (isHarmless && isActive && isUnlinked) return user.id;
    throw new SignInRefused('address_taken');
  }

  #withAddress(address: string, em: EntityManager): Promise<User | null> {
    return em.findOne(User, { [raw('lower(email)')]: address });
  }

  async #join(person: Person, em: EntityManager): Promise<string> {
    const { provider, accountId, address, claims, place } = person;
    const given = roleOfGroups(provider, claims);
    if (given && provider.domains.length > 0 && address === null) throw new SignInRefused('address_not_allowed');
    const role = given?.role ?? (address === null ? undefined : provider.defaultRole);
    if (role === undefined) throw new SignInRefused('no_account');
    const userId = await this.#create(person, em);
    await this.members.add(accountId, userId, role, 'provider', [], 'service', place, sessionOf(em));
    return userId;
  }

  async #create({ name, address }: Person, em: EntityManager): Promise<string> {
    const user = em.create(User, { id: newId(), name, email: address, createdAt: this.clock.now() });
    try {
      await em.flush();
    } catch (error) {
      // A concurrent sign-in with the same new address has created the user first.
      throw error instanceof UniqueConstraintViolationException ? new SignInRefused('address_taken') : error;
    }
    return user.id;
  }
}
