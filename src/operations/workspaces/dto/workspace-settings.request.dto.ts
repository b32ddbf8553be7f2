import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';

const MAX_OUTPUT_TOKENS = 100_000_000;

/** What changes; absent = stays, null = as the service is set up. */
@NoAdditionalFields()
export class UpdateWorkspaceSettingsRequest {
  /** Output tokens that are reserved for a text call, and forwarded as its bound, where the caller names none. */
  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 1, maximum: MAX_OUTPUT_TOKENS })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_OUTPUT_TOKENS)
  default_max_output_tokens?: number | null;
}
