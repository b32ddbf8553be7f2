import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse, ListResponse } from '../../../http/reply/data-response.js';
import { ROLES, type Role } from '../../../kernel/access/permissions.js';

const ROLE_SOURCES = ['manual', 'invitation', 'provider'] as const;

/** A user of the account. Developers and viewers get only the id and the name of other members; the rest is null. */
export class MemberRecord {
  /** The same id as `creator_user_id` of keys. */
  @ApiProperty({ format: 'uuid' })
  user_id: string;

  @ApiProperty()
  name: string;

  @ApiProperty({ type: String, nullable: true })
  email: string | null;

  @ApiProperty({ enum: ROLES, nullable: true })
  role: Role | null;

  /** The source of the current role. An identity provider changes only the roles that it has set. */
  @ApiProperty({ enum: ROLE_SOURCES, nullable: true })
  role_source: (typeof ROLE_SOURCES)[number] | null;

  /** Whether the member may have interns. */
  @ApiProperty({ type: Boolean, nullable: true })
  in_interns_programme: boolean | null;

  /** When the user became a member. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  created_at: string | null;

  /** Null = active. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  deactivated_at: string | null;
}

const MEMBER_EXAMPLE: MemberRecord = {
  user_id: '019ab0c4-1111-7a61-9d0e-1f2a3b4c5d6e',
  name: 'Ada',
  email: 'ada@example.com',
  role: 'owner',
  role_source: 'manual',
  in_interns_programme: true,
  created_at: '2026-10-01T09:00:00.000Z',
  deactivated_at: null,
};

@ResponseExample({ data: [MEMBER_EXAMPLE], total_count: 1 })
export class MemberListResponse extends ListResponse(MemberRecord) {}

@ResponseExample({ data: MEMBER_EXAMPLE })
export class MemberResponse extends DataResponse(MemberRecord) {}

const ORGANIZATION_ROLES = ['org:admin', 'org:member'] as const;

/** A member of the account, in the format of the published API. */
export class OrganizationMemberRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** Empty if the user has no address, or if the caller may not read it. */
  @ApiProperty()
  email: string;

  /** The full name. */
  @ApiProperty({ type: String, nullable: true })
  first_name: string | null;

  @ApiProperty({ type: String, nullable: true })
  last_name: string | null;

  /** `org:admin` for owners and admins. */
  @ApiProperty({ enum: ORGANIZATION_ROLES })
  role: (typeof ORGANIZATION_ROLES)[number];
}

@ResponseExample({
  data: [
    {
      id: '019ab0c4-1111-7a61-9d0e-1f2a3b4c5d6e',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: null,
      role: 'org:admin',
    },
  ],
  total_count: 1,
})
export class OrganizationMemberListResponse extends ListResponse(OrganizationMemberRecord) {}
