import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsNumber, IsOptional, IsString, IsUUID, Max, MaxLength, Min, MinLength } from 'class-validator';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';

const MAX_SECRET_LENGTH = 1_000;
const MAX_LIMIT_USD = 9_000_000_000;

/** One of the two. */
@NoAdditionalFields()
export class ConsoleSignInRequest {
  /** The one-time code of a link. */
  @ApiPropertyOptional()
  @IsOptionalField()
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_SECRET_LENGTH)
  code?: string;

  /** An API key. */
  @ApiPropertyOptional()
  @IsOptionalField()
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_SECRET_LENGTH)
  key?: string;
}

/** What changes; absent = stays. */
@NoAdditionalFields()
export class UpdateConsoleSessionRequest {
  /** The workspace of the session's calls. Another one comes with a new key, whose spend begins at 0. */
  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptionalField()
  @IsUUID()
  workspace_id?: string;

  /** What the session's calls may cost, in USD; null = unlimited. */
  @ApiPropertyOptional({ type: Number, nullable: true, minimum: 0 })
  @IsOptional()
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0)
  @Max(MAX_LIMIT_USD)
  limit?: number | null;
}
