import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { ROLES, type Role } from '../../../kernel/access/permissions.js';

/** A user of the account. */
export class MemberRecord {
  /** As `creator_user_id` of keys has it. */
  @ApiProperty({ format: 'uuid' })
  user_id: string;

  @ApiProperty()
  name: string;

  @ApiProperty({ type: String, nullable: true })
  email: string | null;

  @ApiProperty({ enum: ROLES })
  role: Role;

  /** Whether the member may have interns. */
  @ApiProperty()
  in_interns_programme: boolean;

  /** When the user became a member. */
  @ApiProperty({ format: 'date-time' })
  created_at: string;
}

@ResponseExample({
  data: [
    {
      user_id: '019ab0c4-1111-7a61-9d0e-1f2a3b4c5d6e',
      name: 'Ada',
      email: 'ada@example.com',
      role: 'owner',
      in_interns_programme: true,
      created_at: '2026-10-01T09:00:00.000Z',
    },
  ],
  total_count: 1,
})
export class MemberListResponse {
  @ApiProperty({ type: [MemberRecord] })
  data: MemberRecord[];

  @ApiProperty({ type: 'integer' })
  total_count: number;
}
