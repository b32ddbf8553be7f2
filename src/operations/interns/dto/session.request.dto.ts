import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { QueryInteger } from '../../../http/validation/query-value.decorators.js';

export class ListSessionsRequest {
  @QueryInteger({ min: 1, max: 500, byDefault: 100 })
  limit?: number;

  /** The `next_cursor` of the previous page. */
  @ApiPropertyOptional({ type: String })
  @IsOptionalField()
  @IsString()
  starting_after?: string;
}
