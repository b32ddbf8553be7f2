import type { ApiKey } from '../../database/entities/api-key.entity.js';
import { isAbove, type Role } from '../../kernel/access/permissions.js';
import { conflict } from '../../kernel/errors/errors.js';
import { roleOfKey } from '../../kernel/principal.js';

/**
 * Throws a 409 if the enabled key would give its member rights that the member does not have. `memberRole`: null for a
 * member who left the account or is deactivated.
 */
export function assertMayEnable(
  key: Pick<ApiKey, 'creatorUserId' | 'keyClass' | 'role'>,
  memberRole: Role | null,
): void {
  if (key.creatorUserId === null) return;
  if (memberRole === null)
    throw conflict(
      'This API key cannot be enabled, because its member is not an active member of the account: create a new key',
    );
  const keyRole = roleOfKey(key);
  if (keyRole !== null && isAbove(keyRole, memberRole))
    throw conflict(
      `This API key has the role ${keyRole} and cannot be enabled, because its member has the role ${memberRole}: ` +
        'create a new key',
    );
}
