import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { IsOptionalField } from './is-optional-field.decorator.js';
import { QueryInteger } from './query-value.decorators.js';

export const MAX_PAGE_ITEMS = 500;
export const DEFAULT_PAGE_ITEMS = 50;
const MAX_CURSOR_LENGTH = 200;

/** The query of a list that is read by pages, newest first. */
export class CursorPageRequest {
  @QueryInteger({ min: 1, max: MAX_PAGE_ITEMS, byDefault: DEFAULT_PAGE_ITEMS })
  limit?: number;

  /** The `next_cursor` of the previous page. */
  @ApiPropertyOptional({ type: String, maxLength: MAX_CURSOR_LENGTH })
  @IsOptionalField()
  @IsString()
  @MaxLength(MAX_CURSOR_LENGTH)
  cursor?: string;
}
