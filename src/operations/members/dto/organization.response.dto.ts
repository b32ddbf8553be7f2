import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

export const ORGANIZATION_ROLES = ['org:admin', 'org:member'] as const;

/** A member of the account, in the format of the published API. */
export class OrganizationMemberRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** Empty if the user has none. */
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
export class OrganizationMemberListResponse {
  @ApiProperty({ type: [OrganizationMemberRecord] })
  data: OrganizationMemberRecord[];

  @ApiProperty({ type: 'integer' })
  total_count: number;
}
