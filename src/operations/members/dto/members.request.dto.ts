import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';
import { ROLES, type Role } from '../../../kernel/access/permissions.js';

@RequestExamples({ admin: { value: { role: 'admin' } } })
@NoAdditionalFields()
export class UpdateMemberRequest {
  @ApiProperty({ enum: ROLES })
  @IsIn(ROLES)
  role: Role;
}
