import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  IsBoolean,
  IsIn,
  IsNumber,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { IsName } from '../../../http/is-name.decorators.js';
import { IsOptionalField } from '../../../http/is-optional-field.decorator.js';
import { NoAdditionalFields } from '../../../http/request-validation.pipe.js';

const RESETS = ['daily', 'weekly', 'monthly'] as const;
const LONGEST_NAME = 1000;
/** Beyond this a limit does not fit the ledger's nano-dollars. */
const GREATEST_LIMIT_USD = 9_000_000_000;
const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|\+00:00)$/;

/** What a new key may do and spend. */
@NoAdditionalFields()
export class CreateKeyRequest {
  @ApiProperty({ minLength: 1, maxLength: LONGEST_NAME, example: 'Production' })
  @IsString()
  @MinLength(1)
  @MaxLength(LONGEST_NAME)
  @IsName()
  name: string;

  /** Spending limit in USD; null or absent = unlimited. */
  @ApiPropertyOptional({ type: Number, nullable: true, minimum: 0 })
  @IsOptional()
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0)
  @Max(GREATEST_LIMIT_USD)
  limit?: number | null;

  /** When the limit starts anew, at midnight UTC; weeks are Monday to Sunday. Null = never. */
  @ApiPropertyOptional({ enum: RESETS, nullable: true })
  @IsOptional()
  @IsIn(RESETS)
  limit_reset?: (typeof RESETS)[number] | null;

  /** Whether spend on own provider credentials counts against the limit. */
  @ApiPropertyOptional({ default: false })
  @IsOptionalField()
  @IsBoolean()
  include_byok_in_limit?: boolean;

  /** When the key stops working, ISO 8601 in UTC. */
  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true })
  @IsOptional()
  @IsString()
  @Matches(UTC_TIME, { message: 'expires_at must be an ISO 8601 time in UTC, such as 2027-01-31T00:00:00Z' })
  expires_at?: string | null;

  /** The member on whose behalf the key acts; default: the maker of the key in use. */
  @ApiPropertyOptional({ type: String, format: 'uuid', nullable: true })
  @IsOptional()
  @IsUUID()
  creator_user_id?: string | null;

  /** The workspace of the key; default: the account's default workspace. */
  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptionalField()
  @IsUUID()
  workspace_id?: string;
}
