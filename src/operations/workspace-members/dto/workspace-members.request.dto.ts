import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsUUID } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';
import { WORKSPACE_ROLES, type WorkspaceRole } from '../../../kernel/access/permissions.js';

const MAX_USERS = 100;

/** The ids of members of the account. */
@RequestExamples({ one: { value: { user_ids: ['019ab0c4-1111-7a61-9d0e-1f2a3b4c5d6e'] } } })
@NoAdditionalFields()
export class WorkspaceUsersRequest {
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 1, maxItems: MAX_USERS })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_USERS)
  @IsUUID('loose', { each: true })
  user_ids: string[];
}

@RequestExamples({ admin: { value: { role: 'admin' } } })
@NoAdditionalFields()
export class UpdateWorkspaceMemberRequest {
  @ApiProperty({ enum: WORKSPACE_ROLES })
  @IsIn(WORKSPACE_ROLES)
  role: WorkspaceRole;
}
