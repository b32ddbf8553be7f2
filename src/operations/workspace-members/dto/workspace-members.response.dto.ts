import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse, ListResponse } from '../../../http/reply/data-response.js';
import { WORKSPACE_ROLES, type WorkspaceRole } from '../../../kernel/access/permissions.js';

/** A membership of a workspace, in the format of the published API. */
export class WorkspaceMemberRecord {
  /** The same member and workspace always have the same id. */
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'uuid' })
  user_id: string;

  @ApiProperty({ format: 'uuid' })
  workspace_id: string;

  /** Owners and admins of the account have the role `admin`. */
  @ApiProperty({ enum: WORKSPACE_ROLES })
  role: WorkspaceRole;

  @ApiProperty({ format: 'date-time' })
  created_at: string;
}

const WORKSPACE_MEMBER_EXAMPLE: WorkspaceMemberRecord = {
  id: '5f3a9c1e-0b7d-4e21-8c55-1d2e3f4a5b6c',
  user_id: '019ab0c4-1111-7a61-9d0e-1f2a3b4c5d6e',
  workspace_id: '019ab0c4-3333-7a61-9d0e-1f2a3b4c5d6e',
  role: 'member',
  created_at: '2026-11-27T09:00:00.000Z',
};

@ResponseExample({ data: [WORKSPACE_MEMBER_EXAMPLE], total_count: 1 })
export class WorkspaceMemberListResponse extends ListResponse(WorkspaceMemberRecord) {}

@ResponseExample({ data: [WORKSPACE_MEMBER_EXAMPLE], added_count: 1 })
export class WorkspaceMembersAddedResponse {
  /** The memberships of all users in the request. */
  @ApiProperty({ type: [WorkspaceMemberRecord] })
  data: WorkspaceMemberRecord[];

  /** The number of new memberships. */
  @ApiProperty({ type: 'integer' })
  added_count: number;
}

@ResponseExample({ removed_count: 1 })
export class WorkspaceMembersRemovedResponse {
  @ApiProperty({ type: 'integer' })
  removed_count: number;
}

@ResponseExample({ data: { ...WORKSPACE_MEMBER_EXAMPLE, role: 'admin' } })
export class WorkspaceMemberResponse extends DataResponse(WorkspaceMemberRecord) {}
