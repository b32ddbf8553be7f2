import type { AuditActor } from '../audit/audit-entry.js';
import { isAbove, type Role } from '../kernel/access/permissions.js';
import { conflict, forbidden } from '../kernel/errors/errors.js';
import type { Principal } from '../kernel/principal.js';

/**
 * The actor who changes or invites a member. A key cannot give a role above its own. A key without a role acts as
 * owner.
 */
export type MemberEditor = AuditActor | Pick<Principal, 'accountId' | 'keyHash' | 'creatorUserId' | 'place' | 'role'>;

/** The data of a member that the rules use. */
export interface PlacedMember {
  readonly userId: string;
  readonly role: Role;
  readonly isActive: boolean;
}

/** The role that limits the editor's actions. */
const roleOfEditor = (by: MemberEditor): Role =>
  typeof by === 'string' || !('role' in by) ? 'owner' : (by.role ?? 'owner');

/** Throws a 403 if the editor may not give the role. */
export function assertMayGive(by: MemberEditor, role: Role): void {
  const highest = roleOfEditor(by);
  if (isAbove(role, highest)) throw forbidden(`The role ${highest} may not give the role ${role}`);
}

/** Throws a 403 if the editor may not change the member. Only owners may change their own role. */
export function assertMayChange(by: MemberEditor, member: PlacedMember): void {
  const highest = roleOfEditor(by);
  if (isAbove(member.role, highest))
    throw forbidden(`The role ${highest} may not change a member of the role ${member.role}`);
  const isOwn = typeof by !== 'string' && by.creatorUserId === member.userId;
  if (isOwn && member.role !== 'owner')
    throw forbidden('You cannot change your own role: another admin or an owner can');
}

/**
 * Throws a 409 if the account would have no active owner. `becomes`: the new role; null = the member leaves or is
 * deactivated.
 */
export function assertOwnerRemains(members: readonly PlacedMember[], userId: string, becomes: Role | null): void {
  const owners = members.filter(({ role, isActive }) => role === 'owner' && isActive);
  const isLast = owners.length === 1 && owners[0]!.userId === userId;
  if (isLast && becomes !== 'owner')
    throw conflict('This is the last owner of the account: make another member an owner first');
}
