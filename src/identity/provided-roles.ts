import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Member } from '../database/entities/member.entity.js';
import { sessionOf } from '../database/session-of.js';
import type { Role } from '../kernel/access/permissions.js';
import { GatewayError } from '../kernel/errors/errors.js';
import { Memberships } from '../members/memberships.js';
import type { ActiveMember } from '../sessions/sign-ins.js';
import type { Person } from './person.js';
import { ProvidedWorkspaces } from './provided-workspaces.js';
import { roleOfGroups } from './role-of-groups.js';
import { SignInRefused } from './sign-in-refused.js';

/**
 * Determines the role with which a user signs in. The groups determine the role, unless a person made its last change.
 */
@Injectable()
export class ProvidedRoles {
  readonly #log = new Logger(ProvidedRoles.name);

  constructor(
    private readonly members: Memberships,
    private readonly workspaces: ProvidedWorkspaces,
  ) {}

  /**
   * If a refusal is returned, the caller must commit the transaction, which may have deactivated a member who no longer
   * gets a role. If a refusal is thrown, the transaction is rolled back.
   */
  async of(person: Person, userId: string, em: EntityManager): Promise<ActiveMember | SignInRefused> {
    const memberships = await em.find(Member, { userId }, { orderBy: { createdAt: 'asc' }, refresh: true });
    const own = memberships.find(({ accountId }) => accountId === person.accountId);
    if (own && own.roleSource === 'provider' && person.provider.roles.length > 0)
      return this.#byGroups(person, own, em);
    const member = own ?? memberships.find(({ deactivatedAt }) => deactivatedAt === null);
    if (!member) return new SignInRefused('no_account');
    if (member.deactivatedAt !== null) return new SignInRefused('deactivated');
    return { accountId: member.accountId, userId, role: member.role };
  }

  async #byGroups(person: Person, member: Member, em: EntityManager): Promise<ActiveMember | SignInRefused> {
    const { provider, address, claims, place } = person;
    const { accountId, userId } = member;
    const session = sessionOf(em);
    const given = roleOfGroups(provider, claims);
    const role = given?.role ?? (address === null ? undefined : provider.defaultRole);
    const workspaces = given?.workspaces ?? new Map<string, never>();
    if (role === undefined) {
      const isKept = await this.#keepsLastOwner(member, () =>
        this.members.deactivate(accountId, userId, 'provider', 'service', place, session),
      );
      return isKept ? { accountId, userId, role: member.role } : new SignInRefused('no_role');
    }
    const isKept = await this.#keepsLastOwner(member, () =>
      this.members.setRole(accountId, userId, role, 'provider', 'service', place, session),
    );
    await this.workspaces.give({ accountId, userId }, workspaces, place, session);
    const kept: Role = isKept ? member.role : role;
    return { accountId, userId, role: kept };
  }

  /**
   * Makes a change to the member. Returns true if the change is impossible because the member is the last owner, who
   * stays owner.
   */
  async #keepsLastOwner({ accountId, userId, role }: Member, change: () => Promise<void>): Promise<boolean> {
    try {
      await change();
      return false;
    } catch (error) {
      if (role !== 'owner' || !(error instanceof GatewayError && error.kind === 'conflict')) throw error;
      this.#log.warn(
        `The groups of user ${userId} no longer give the role owner, but account ${accountId} has no other ` +
          'owner: the user stays owner',
      );
      return true;
    }
  }
}
