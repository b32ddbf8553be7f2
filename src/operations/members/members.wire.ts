import { PERMISSIONS } from '../../kernel/access/permissions.js';
import type { Principal } from '../../kernel/principal.js';
import type { ListedMember } from '../../members/member-list.js';
import type { MemberRecord, OrganizationMemberRecord } from './dto/members.response.dto.js';

/** Converts a member to its API record. Includes only the values that the caller may read. */
export function toMemberRecord(member: ListedMember, caller: Principal): MemberRecord {
  // A caller with limited reach may read only ids and names of other members.
  const hidden = caller.only !== undefined && member.userId !== caller.creatorUserId;
  return {
    user_id: member.userId,
    name: member.name,
    email: hidden ? null : member.email,
    role: hidden ? null : member.role,
    role_source: hidden ? null : member.roleSource,
    in_interns_programme: hidden ? null : member.inInternsProgramme,
    created_at: hidden ? null : member.createdAt.toISOString(),
    deactivated_at: hidden ? null : (member.deactivatedAt?.toISOString() ?? null),
  };
}

/**
 * Converts a member to the record of the published API. In this record, `email` is empty if the address is unknown or
 * hidden, and `first_name` contains the full name.
 */
export const toOrganizationMember = (member: ListedMember, caller: Principal): OrganizationMemberRecord => ({
  id: member.userId,
  email: toMemberRecord(member, caller).email ?? '',
  first_name: member.name,
  last_name: null,
  role: PERMISSIONS['members.write'][member.role] === 'all' ? 'org:admin' : 'org:member',
});
