import { Injectable } from '@nestjs/common';
import type { NewKey } from '../../auth/api-keys.js';
import type { ApiKey } from '../../database/entities/api-key.entity.js';
import type { SqlSession } from '../../database/sql.js';
import { isAbove, type Role } from '../../kernel/access/permissions.js';
import { coversWorkspace, rowsOf, withRowsOf } from '../../kernel/access/reach.js';
import { existingTime } from '../../http/validation/utc-time.js';
import { forbidden, invalidRequest } from '../../kernel/errors/errors.js';
import { usdToNano, type Nano } from '../../kernel/money.js';
import type { Principal } from '../../kernel/principal.js';
import { Accounts } from '../../tenancy/accounts.js';
import { MemberKeyLimit } from '../../tenancy/member-key-limit.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import type { CreateKeyRequest } from './dto/keys.request.dto.js';

/** Decides which keys a caller may create: the workspace, the member, the class and the limit. */
@Injectable()
export class NewKeys {
  constructor(
    private readonly accounts: Accounts,
    private readonly workspaces: Workspaces,
    private readonly limits: MemberKeyLimit,
  ) {}

  /**
   * Throws a 400 if a resource does not exist, or if a field of the request is not allowed for the class of the key.
   * Throws a 403 if the caller's role does not allow the key.
   */
  async of(request: CreateKeyRequest, caller: Principal): Promise<NewKey> {
    const workspaceId = await this.workspaceFor(request.workspace_id, caller);
    if (workspaceId === undefined) throw invalidRequest('workspace_id must be the id of a workspace of this account');
    const isForOthers = coversWorkspace(caller, workspaceId);
    return {
      accountId: caller.accountId,
      workspaceId,
      ...this.#classOf(request, caller),
      name: request.name,
      creatorUserId: await this.#creatorFor(request.creator_user_id, caller, isForOthers),
      limitNano: this.limitFor(request.limit, caller, workspaceId),
      limitReset: request.limit_reset ?? null,
      includeByokInLimit: request.include_byok_in_limit ?? false,
      expiresAt: request.expires_at ? existingTime(request.expires_at, 'expires_at') : null,
      externalUser: request.external?.user ?? null,
    };
  }

  /**
   * Throws a 400 if the member was removed meanwhile, because the key would outlive the membership. Throws a 403 if the
   * role of the key is above the role of the member, because the key acts as the member.
   */
  async assertMemberMayHave(
    { accountId, creatorUserId, role }: Pick<ApiKey, 'accountId' | 'creatorUserId' | 'role'>,
    session: SqlSession,
  ): Promise<void> {
    if (creatorUserId === null) return;
    const memberRole = await this.accounts.holdMember(accountId, creatorUserId, session);
    if (memberRole === null) throw invalidRequest('creator_user_id must be the id of a member of this account');
    if (role !== null && isAbove(role, memberRole))
      throw forbidden(
        `A member of the role ${memberRole} may not have a key of the role ${role}: set a lower role, ` +
          'another creator_user_id, or null for a key without a member',
      );
  }

  /**
   * Returns the default workspace if `id` is undefined. Returns undefined if the caller has no workspace with this id.
   */
  async workspaceFor(id: string | undefined, caller: Principal): Promise<string | undefined> {
    return (await this.workspaces.findOrDefault(withRowsOf(caller, 'workspaces.read'), id))?.id;
  }

  /**
   * Returns the limit in nano-dollars; null = unlimited. `usd`: undefined = the maximum for the caller. Throws a 403 if
   * `usd` is above this maximum. `workspaceId`: the workspace of the key.
   */
  limitFor(usd: number | null | undefined, caller: Principal, workspaceId: string): Nano | null {
    return this.limits.limitFor(typeof usd === 'number' ? usdToNano(usd) : usd, caller, workspaceId);
  }

  /** Throws a 403 if the caller may not give the key its limit, including a raise that has not ended. */
  assertLimit(key: Pick<ApiKey, 'limitNano' | 'raiseNano' | 'raiseUntil' | 'workspaceId'>, caller: Principal): void {
    this.limits.assertWithin(key, caller, key.workspaceId);
  }

  #classOf(
    { class: keyClass = 'standard', role, external }: CreateKeyRequest,
    caller: Principal,
  ): Pick<NewKey, 'keyClass' | 'role'> {
    if (keyClass === 'standard') {
      if (role !== undefined) throw invalidRequest('role requires the class management: a standard key has no role');
      return { keyClass };
    }
    if (external) throw invalidRequest('external requires the class standard');
    const highest: Role = caller.role ?? 'owner';
    if (rowsOf(caller, 'keys.manage') !== 'all') throw forbidden(`The role ${highest} may not create management keys`);
    const given = role ?? highest;
    if (isAbove(given, highest)) throw forbidden(`The role ${highest} may not create a key of the role ${given}`);
    return { keyClass, role: given };
  }

  /**
   * `id`: undefined = the caller; null = no member. A key without a member belongs to the workspace and is kept when
   * memberships end.
   */
  async #creatorFor(id: string | null | undefined, caller: Principal, isForOthers: boolean): Promise<string | null> {
    if (id === undefined || (id !== null && id.toLowerCase() === caller.creatorUserId)) return caller.creatorUserId;
    if (!isForOthers) throw forbidden(`creator_user_id: the role ${caller.role} may create keys only for the caller`);
    if (id === null) return null;
    const role = await this.accounts.roleOf(caller.accountId, id);
    if (role === null) throw invalidRequest('creator_user_id must be the id of a member of this account');
    if (caller.role !== undefined && isAbove(role, caller.role))
      throw forbidden(`creator_user_id: the role ${caller.role} may not create keys for a member of the role ${role}`);
    return id.toLowerCase();
  }
}
