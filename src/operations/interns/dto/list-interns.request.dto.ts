import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, IsUUID } from 'class-validator';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { QueryInteger } from '../../../http/validation/query-value.decorators.js';

export class ListInternsRequest {
  @QueryInteger({ min: 1, max: 500, byDefault: 100 })
  limit?: number;

  /** Up to 8 statuses, separated by commas. */
  @ApiPropertyOptional({ type: String, example: 'running,stopped' })
  @IsOptionalField()
  @IsString()
  status?: string;

  /** The `next_cursor` of the previous page. */
  @ApiPropertyOptional({ type: String })
  @IsOptionalField()
  @IsString()
  starting_after?: string;

  /** Must be the workspace of the key. */
  @ApiPropertyOptional({ type: String, format: 'uuid' })
  @IsOptionalField()
  @IsUUID('loose')
  workspace_id?: string;
}
