import { Injectable } from '@nestjs/common';
import type { SqlSession } from '../../database/sql.js';
import type { ApiKey } from '../../database/entities/api-key.entity.js';
import { isAbove } from '../../kernel/access/permissions.js';
import { forbidden } from '../../kernel/errors/errors.js';
import { roleOfKey, type Principal } from '../../kernel/principal.js';
import { Accounts } from '../../tenancy/accounts.js';

/** Checks changes of keys against the caller's role, in addition to the caller's permission. */
@Injectable()
export class KeyChangeRules {
  constructor(private readonly accounts: Accounts) {}

  /**
   * Throws a 403 for a management key with a role above the caller's. `showsSecret`: whether the change returns a new
   * secret. If so, also throws a 403 for the key of a member with a higher role, because the caller could act as that
   * member with the secret. `session`: required inside a transaction.
   */
  async assertMayChange(
    key: ApiKey,
    { role, creatorUserId }: Principal,
    showsSecret: boolean,
    session?: SqlSession,
  ): Promise<void> {
    if (role === undefined) return;
    const keyRole = roleOfKey(key);
    if (keyRole !== null && isAbove(keyRole, role))
      throw forbidden(`The role ${role} may not change a key of the role ${keyRole}`);
    if (!showsSecret || key.creatorUserId === null || key.creatorUserId === creatorUserId) return;
    const memberRole = await this.accounts.roleOf(key.accountId, key.creatorUserId, session);
    if (memberRole !== null && isAbove(memberRole, role))
      throw forbidden(`The role ${role} may not rotate the key of a member of the role ${memberRole}`);
  }
}
