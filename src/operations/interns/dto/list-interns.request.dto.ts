import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsString, IsUUID, Max, Min } from 'class-validator';
import { IsOptionalField } from '../../../http/is-optional-field.decorator.js';

const MOST = 500;

export class ListInternsRequest {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MOST, default: 100 })
  @IsOptionalField()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MOST)
  limit?: number;

  /** Up to 8 statuses, separated by commas. */
  @ApiPropertyOptional({ type: String, example: 'running,stopped' })
  @IsOptionalField()
  @IsString()
  status?: string;

  /** The `next_cursor` of the page before. */
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
