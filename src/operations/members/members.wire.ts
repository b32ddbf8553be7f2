import type { MemberUser } from '../../tenancy/accounts.js';
import type { MemberRecord } from './dto/members.response.dto.js';

export const toMemberRecord = ({ member, user }: MemberUser): MemberRecord => ({
  user_id: user.id,
  name: user.name,
  email: user.email,
  role: member.role,
  in_interns_programme: member.inInternsProgramme,
  created_at: member.createdAt.toISOString(),
});
