import { ApiPropertyOptional } from '@nestjs/swagger';
import { CallLimitSettingsRequest, MAX_REQUESTS_PER_MINUTE } from '../../../http/validation/call-limits.request.dto.js';
import { NullableInteger } from '../../../http/validation/nullable-member.decorators.js';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';

const MAX_OUTPUT_TOKENS = 100_000_000;

/** The changes; absent = unchanged, null = the service's default. */
@NoAdditionalFields()
export class UpdateWorkspaceSettingsRequest extends CallLimitSettingsRequest {
  /** The output tokens to reserve for a text call, and to forward as its limit, if the request has no limit. */
  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 1, maximum: MAX_OUTPUT_TOKENS })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_OUTPUT_TOKENS)
  default_max_output_tokens?: number | null;

  /**
   * The maximum number of model calls per minute, by all keys of the workspace. Further calls return 429. Null = no
   * limit.
   */
  @NullableInteger(1, MAX_REQUESTS_PER_MINUTE)
  requests_per_minute?: number | null;
}
