import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { OptionalEnum, OptionalString, OptionalUuid } from '../../../http/validation/optional-member.decorators.js';

const GROUPS = ['workspace'] as const;

export class ActivityRequest {
  /** One of the last 30 UTC days, as YYYY-MM-DD, or the current day with its data so far. */
  @ApiPropertyOptional({ example: '2026-11-19' })
  @IsOptionalField()
  @IsString()
  @Matches(/^\d{4}-\d{2}-\d{2}$/, { message: 'date must be a day such as 2026-11-19' })
  date?: string;

  /** Only the spend of this key. */
  @OptionalString()
  api_key_hash?: string;

  /** Only the spend of this member's keys. */
  @OptionalUuid()
  user_id?: string;

  /** Groups rows by workspace; each row then has its workspace_id. */
  @OptionalEnum(GROUPS)
  group_by?: (typeof GROUPS)[number];

  /** Only the spend in this workspace. */
  @OptionalUuid()
  workspace_id?: string;
}
