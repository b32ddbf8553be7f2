import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { QueryInteger } from '../../../http/validation/query-value.decorators.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';
import { ROLES, type Role } from '../../../kernel/access/permissions.js';

export class ListMembersRequest {
  /** Members to skip. */
  @QueryInteger({ min: 0, byDefault: 0 })
  offset?: number;

  @QueryInteger({ min: 1, max: 100, byDefault: 50 })
  limit?: number;
}

@NoAdditionalFields()
export class UpdateMemberRequest {
  @ApiProperty({ enum: ROLES })
  @IsIn(ROLES)
  role: Role;
}
