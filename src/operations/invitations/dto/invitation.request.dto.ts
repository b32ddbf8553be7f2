import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsEmail, IsIn, IsUUID } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { MaxCharacters } from '../../../http/validation/max-characters.decorator.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';
import { ROLES, type Role } from '../../../kernel/access/permissions.js';

const MAX_WORKSPACES = 100;
const MAX_ADDRESS_CHARACTERS = 254;

/** The permissions of the invited person. */
@RequestExamples({ developer: { value: { role: 'developer' } } })
@NoAdditionalFields()
export class CreateInvitationRequest {
  @ApiProperty({ enum: ROLES })
  @IsIn(ROLES)
  role: Role;

  /** Workspaces that the person joins, besides the default workspace. */
  @ApiPropertyOptional({ type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: MAX_WORKSPACES })
  @IsOptionalField()
  @IsArray()
  @ArrayMaxSize(MAX_WORKSPACES)
  @IsUUID('loose', { each: true })
  workspace_ids?: string[];

  /**
   * To use the link, a person must have this verified address at an identity provider. Absent = anyone with the link
   * can use it.
   */
  @ApiPropertyOptional({ format: 'email', maxLength: MAX_ADDRESS_CHARACTERS })
  @IsOptionalField()
  @MaxCharacters(MAX_ADDRESS_CHARACTERS)
  @IsEmail()
  email?: string;
}
