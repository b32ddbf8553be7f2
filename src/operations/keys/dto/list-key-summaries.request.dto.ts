import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsUUID } from 'class-validator';
import {
  KEY_SORTS,
  KEY_STATES,
  SORT_DIRECTIONS,
  type KeySort,
  type KeyState,
  type SortDirection,
} from '../../../billing/key-list.js';
import { CursorPageRequest } from '../../../http/validation/cursor-page.request.dto.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { QueryText } from '../../../http/validation/query-text.decorator.js';

/** The filters and the order of the list. Without a filter, all keys that the caller may read are listed. */
export class ListKeySummariesRequest extends CursorPageRequest {
  /** A part of the name or of the label, or the start of the hash. Case is ignored. */
  @QueryText({ example: 'production' })
  q?: string;

  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptionalField()
  @IsUUID('loose')
  workspace_id?: string;

  /** The member who owns the key. */
  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptionalField()
  @IsUUID('loose')
  creator_user_id?: string;

  @ApiPropertyOptional({ enum: KEY_STATES })
  @IsOptionalField()
  @IsIn(KEY_STATES)
  state?: KeyState;

  /** `limit_used` is the used share of the limit. Keys without the value are last. */
  @ApiPropertyOptional({ enum: KEY_SORTS, default: 'created_at' })
  @IsOptionalField()
  @IsIn(KEY_SORTS)
  sort?: KeySort;

  /** Default: `asc` by name, otherwise `desc`. */
  @ApiPropertyOptional({ enum: SORT_DIRECTIONS })
  @IsOptionalField()
  @IsIn(SORT_DIRECTIONS)
  direction?: SortDirection;
}
