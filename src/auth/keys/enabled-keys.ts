import type { ApiKey } from '../../database/entities/api-key.entity.js';
import { isAbove, type Role } from '../../kernel/access/permissions.js';
import { conflict } from '../../kernel/errors/errors.js';

/**
 * Throws a 409 if the enabled key would give its member rights that the member does not have. `memberRole`: null for a
 * member who left the account or is deactivated.
 */
export function assertMayEnable(
  { creatorUserId, keyClass, role }: Pick<ApiKey, 'creatorUserId' | 'keyClass' | 'role'>,
  memberRole: Role | null,
): void {
  if (creatorUserId === null) return;
  if (memberRole === null)
    throw conflict(
      'This API key cannot be enabled, because its member is not an active member of the account: create a new key',
    );
  const keyRole = keyClass === 'management' ? (role ?? 'owner') : null;
  if (keyRole !== null && isAbove(keyRole, memberRole))
    throw conflict(
      `This API key has the role ${keyRole} and cannot be enabled, because its member has the role ${memberRole}: ` +
        'create a new key',
    );
}
