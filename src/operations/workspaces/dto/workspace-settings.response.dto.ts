import { ApiProperty } from '@nestjs/swagger';
import { CallLimitSettingsRecord } from '../../../http/reply/call-limits.response.dto.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

/** The settings of a workspace; they take effect within 5 s. */
@ResponseExample({
  default_max_output_tokens: 4096,
  requests_per_minute: 600,
  tokens_per_minute: 1_000_000,
  max_concurrent: null,
  models: null,
  each_end_user: { requests_per_minute: 10, tokens_per_minute: null, max_concurrent: 2 },
})
export class WorkspaceSettingsRecord extends CallLimitSettingsRecord {
  /** Null = the value of DEFAULT_MAX_OUTPUT_TOKENS applies. */
  @ApiProperty({ type: 'integer', nullable: true })
  default_max_output_tokens: number | null;

  /** For all keys of the workspace together; null = no limit. */
  @ApiProperty({ type: 'integer', nullable: true })
  requests_per_minute: number | null;
}

export class WorkspaceSettingsResponse {
  @ApiProperty({ type: WorkspaceSettingsRecord })
  data: WorkspaceSettingsRecord;
}
