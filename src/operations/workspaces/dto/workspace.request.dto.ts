import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  MinLength,
} from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { IsName } from '../../../http/validation/is-name.decorators.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { CallLimitSettingsRequest, MAX_REQUESTS_PER_MINUTE } from '../../../http/validation/call-limits.request.dto.js';
import { MaxCharacters } from '../../../http/validation/max-characters.decorator.js';
import { NullableInteger, NullableName } from '../../../http/validation/nullable-member.decorators.js';
import { OptionalBoolean } from '../../../http/validation/optional-member.decorators.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';

const SLUG = '^[a-z0-9]+(?:-[a-z0-9]+)*$';
const MAX_INT32 = 2_147_483_647;
const MAX_OUTPUT_TOKENS = 100_000_000;

/** The name and the settings of a new workspace. */
@RequestExamples({
  named: {
    summary: 'A workspace for one team',
    value: { name: 'Research', slug: 'research', description: 'Experiments' },
  },
})
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

  @NullableName(500)
  description?: string | null;

  /** The model of the workspace's interns that have no model of their own. Has no effect on other calls. */
  @NullableName(200)
  default_text_model?: string | null;

  /** Stored and returned, but without effect. */
  @NullableName(200)
  default_image_model?: string | null;

  /** Stored and returned, but without effect. */
  @NullableName(200)
  default_provider_sort?: string | null;

  /** Stored and returned, but without effect: this service does not log inputs and outputs. */
  @OptionalBoolean()
  is_observability_io_logging_enabled?: boolean;

  /** Stored and returned, but without effect. */
  @OptionalBoolean()
  is_observability_broadcast_enabled?: boolean;

  /** Stored and returned, but without effect. */
  @OptionalBoolean()
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
@RequestExamples({ renamed: { summary: 'Another name', value: { name: 'Research and development' } } })
@NoAdditionalFields()
export class UpdateWorkspaceRequest extends PartialType(CreateWorkspaceRequest, { skipNullProperties: false }) {}

/** The changes; absent = unchanged, null = the service's default. */
@RequestExamples({
  bounded: { summary: 'Short output unless a request sets a limit', value: { default_max_output_tokens: 4096 } },
  limited: {
    summary: 'Limits of all keys together, and of each end user',
    value: { tokens_per_minute: 1_000_000, max_concurrent: 50, each_end_user: { requests_per_minute: 10 } },
  },
})
@NoAdditionalFields()
export class UpdateWorkspaceSettingsRequest extends CallLimitSettingsRequest {
  /** For text calls without a limit: the number of output tokens to reserve, and to forward as the limit. */
  @NullableInteger(1, MAX_OUTPUT_TOKENS)
  default_max_output_tokens?: number | null;

  /**
   * The maximum number of model calls per minute, by all keys of the workspace. Further calls return 429. Null = no
   * limit.
   */
  @NullableInteger(1, MAX_REQUESTS_PER_MINUTE)
  requests_per_minute?: number | null;
}
