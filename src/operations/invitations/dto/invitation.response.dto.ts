import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse, ListResponse } from '../../../http/reply/data-response.js';
import { ROLES, type Role } from '../../../kernel/access/permissions.js';

export class InvitationRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ enum: ROLES })
  role: Role;

  @ApiProperty({ type: [String] })
  workspace_ids: readonly string[];

  @ApiProperty({ type: String, nullable: true })
  email: string | null;

  /** Seven days after its creation. */
  @ApiProperty({ format: 'date-time' })
  expires_at: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;
}

const INVITATION_EXAMPLE: InvitationRecord = {
  id: '019ab0c4-2222-7a61-9d0e-1f2a3b4c5d6e',
  role: 'developer',
  workspace_ids: [],
  email: null,
  expires_at: '2026-12-04T09:00:00.000Z',
  created_at: '2026-11-27T09:00:00.000Z',
};

@ResponseExample({
  data: INVITATION_EXAMPLE,
  url: 'https://gateway.example.com/console/#invitation=NmQ3ZWZhY2Y1NzE0NGE0ZTkxZGU5ZGI4OTY3OWQ0Zjg',
})
export class InvitationCreatedResponse extends DataResponse(InvitationRecord) {
  /** The link. Only this response contains it. It can be used once. */
  @ApiProperty()
  url: string;
}

@ResponseExample({ data: [INVITATION_EXAMPLE], total_count: 1 })
export class InvitationListResponse extends ListResponse(InvitationRecord) {}
