import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

/** The settings of a workspace; they take effect within 5 s. */
@ResponseExample({ default_max_output_tokens: 4096 })
export class WorkspaceSettingsRecord {
  /** Null: as DEFAULT_MAX_OUTPUT_TOKENS says. */
  @ApiProperty({ type: 'integer', nullable: true })
  default_max_output_tokens: number | null;
}

export class WorkspaceSettingsResponse {
  @ApiProperty({ type: WorkspaceSettingsRecord })
  data: WorkspaceSettingsRecord;
}
