import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  MinLength,
} from 'class-validator';
import { IsName } from '../../../http/validation/is-name.decorators.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { MaxCharacters } from '../../../http/validation/max-characters.decorator.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';

const SLUG = '^[a-z0-9]+(?:-[a-z0-9]+)*$';
const MAX_INT32 = 2_147_483_647;

/** The name and the settings of a new workspace. */
@NoAdditionalFields()
export class CreateWorkspaceRequest {
  @ApiProperty({ minLength: 1, maxLength: 100 })
  @IsString()
  @MinLength(1)
  @MaxCharacters(100)
  @IsName()
  name: string;

  /** Lower-case letters and digits in groups joined by single hyphens, unique within the account. */
  @ApiProperty({ minLength: 1, maxLength: 50, pattern: SLUG })
  @IsString()
  @MaxCharacters(50)
  @Matches(new RegExp(SLUG), {
    message: 'slug must be lower-case letters and digits in groups joined by single hyphens',
  })
  slug: string;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 500 })
  @IsOptional()
  @IsString()
  @MaxCharacters(500)
  @IsName()
  description?: string | null;

  /** The model of the workspace's interns that have no model of their own. Has no effect on other calls. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 200 })
  @IsOptional()
  @IsString()
  @MaxCharacters(200)
  @IsName()
  default_text_model?: string | null;

  /** Stored and returned, but without effect. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 200 })
  @IsOptional()
  @IsString()
  @MaxCharacters(200)
  @IsName()
  default_image_model?: string | null;

  /** Stored and returned, but without effect. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 200 })
  @IsOptional()
  @IsString()
  @MaxCharacters(200)
  @IsName()
  default_provider_sort?: string | null;

  /** Stored and returned, but without effect: this service does not log inputs and outputs. */
  @ApiPropertyOptional({ type: Boolean })
  @IsOptionalField()
  @IsBoolean()
  is_observability_io_logging_enabled?: boolean;

  /** Stored and returned, but without effect. */
  @ApiPropertyOptional({ type: Boolean })
  @IsOptionalField()
  @IsBoolean()
  is_observability_broadcast_enabled?: boolean;

  /** Stored and returned, but without effect. */
  @ApiPropertyOptional({ type: Boolean })
  @IsOptionalField()
  @IsBoolean()
  is_data_discount_logging_enabled?: boolean;

  /** Stored and returned, but without effect. */
  @ApiPropertyOptional({ type: Number, format: 'double', minimum: 0.0001, maximum: 1 })
  @IsOptionalField()
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0.0001)
  @Max(1)
  io_logging_sampling_rate?: number;

  /** Stored and returned, but without effect. */
  @ApiPropertyOptional({ type: 'array', items: { type: 'integer' }, nullable: true, maxItems: 1000 })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(1000)
  @IsInt({ each: true })
  @Min(0, { each: true })
  @Max(MAX_INT32, { each: true })
  io_logging_api_key_ids?: number[] | null;
}

/** The changes; absent = unchanged. */
@NoAdditionalFields()
export class UpdateWorkspaceRequest extends PartialType(CreateWorkspaceRequest, { skipNullProperties: false }) {}
