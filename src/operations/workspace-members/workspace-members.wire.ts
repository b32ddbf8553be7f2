import type { WorkspaceMember } from '../../members/workspace-members.js';
import type { WorkspaceMemberRecord } from './dto/workspace-members.response.dto.js';

export const toWorkspaceMember = (member: WorkspaceMember): WorkspaceMemberRecord => ({
  id: member.id,
  user_id: member.userId,
  workspace_id: member.workspaceId,
  role: member.role,
  created_at: member.createdAt.toISOString(),
});
