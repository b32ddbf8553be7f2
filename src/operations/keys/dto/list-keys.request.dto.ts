import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsUUID } from 'class-validator';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { QueryFlag, QueryInteger } from '../../../http/validation/query-value.decorators.js';

export class ListKeysRequest {
  /** Whether to list disabled keys too. */
  @QueryFlag()
  include_disabled?: boolean;

  /** The number of keys to skip. */
  @QueryInteger({ min: 0, byDefault: 0 })
  offset?: number;

  /** The workspace of the keys; default: the account's default workspace. */
  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptionalField()
  @IsUUID()
  workspace_id?: string;
}
