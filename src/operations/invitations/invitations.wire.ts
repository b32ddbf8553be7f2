import type { Invitation } from '../../members/invitations.js';
import type { InvitationRecord } from './dto/invitation.response.dto.js';

export const toInvitationRecord = (invitation: Invitation): InvitationRecord => ({
  id: invitation.id,
  role: invitation.role,
  workspace_ids: invitation.workspaceIds,
  email: invitation.email,
  expires_at: invitation.expiresAt.toISOString(),
  created_at: invitation.createdAt.toISOString(),
});
