import { Injectable } from '@nestjs/common';
import type { ApiKey } from '../../database/entities/api-key.entity.js';
import { isAbove, type Role } from '../../kernel/access/permissions.js';
import { forbidden } from '../../kernel/errors/errors.js';
import type { Principal } from '../../kernel/principal.js';
import { Accounts } from '../../tenancy/accounts.js';

/** Which keys a caller may not change, of those that its permission covers. */
@Injectable()
export class KeyChangeRules {
  constructor(private readonly accounts: Accounts) {}

  /**
   * Throws a 403 for a management key above the caller's role. `showsSecret`: also for the key of a member above it,
   * because whoever has the secret acts as that member.
   */
  async assertMayChange(key: ApiKey, { role, creatorUserId }: Principal, showsSecret: boolean): Promise<void> {
    if (role === undefined) return;
    const keyRole: Role | null = key.keyClass === 'management' ? (key.role ?? 'owner') : null;
    if (keyRole !== null && isAbove(keyRole, role))
      throw forbidden(`The role ${role} may not change a key of the role ${keyRole}`);
    if (!showsSecret || key.creatorUserId === null || key.creatorUserId === creatorUserId) return;
    const memberRole = await this.accounts.roleOf(key.accountId, key.creatorUserId);
    if (memberRole !== null && isAbove(memberRole, role))
      throw forbidden(`The role ${role} may not rotate the key of a member of the role ${memberRole}`);
  }
}
