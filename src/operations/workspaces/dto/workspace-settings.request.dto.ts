import { ApiPropertyOptional } from '@nestjs/swagger';
import { CallLimitSettingsRequest, MAX_REQUESTS_PER_MINUTE } from '../../../http/validation/call-limits.request.dto.js';
import { NullableInteger } from '../../../http/validation/nullable-member.decorators.js';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';

const MAX_OUTPUT_TOKENS = 100_000_000;

/** What changes; absent = stays, null = as the service is set up. */
@NoAdditionalFields()
export class UpdateWorkspaceSettingsRequest extends CallLimitSettingsRequest {
  /** Output tokens that are reserved for a text call, and forwarded as its bound, where the caller names none. */
  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 1, maximum: MAX_OUTPUT_TOKENS })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_OUTPUT_TOKENS)
  default_max_output_tokens?: number | null;

  /** Calls of models by all keys of the workspace in a minute; more return 429. Null = no limit. */
  @NullableInteger(1, MAX_REQUESTS_PER_MINUTE)
  requests_per_minute?: number | null;
}
