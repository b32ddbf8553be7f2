import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';
import { ROLES, type Role } from '../../../kernel/access/permissions.js';

@NoAdditionalFields()
export class UpdateMemberRequest {
  @ApiProperty({ enum: ROLES })
  @IsIn(ROLES)
  role: Role;
}
