import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse, ListResponse } from '../../../http/reply/data-response.js';
import { CallLimitSettingsRecord } from '../../../http/reply/call-limits.response.dto.js';

/** A workspace. */
@ResponseExample({
  id: '019ab0c4-2222-7a61-9d0e-1f2a3b4c5d6e',
  default_guardrail_id: 'af9d9149-e532-803c-8b92-748a4e802e14',
  name: 'Default',
  slug: 'default',
  description: null,
  default_text_model: null,
  default_image_model: null,
  default_provider_sort: null,
  is_observability_io_logging_enabled: false,
  is_observability_broadcast_enabled: false,
  is_data_discount_logging_enabled: false,
  io_logging_sampling_rate: 1,
  io_logging_api_key_ids: null,
  created_at: '2026-11-22T08:30:00.000Z',
  updated_at: null,
  created_by: null,
})
export class WorkspaceRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'uuid' })
  default_guardrail_id: string;

  @ApiProperty()
  name: string;

  @ApiProperty()
  slug: string;

  @ApiProperty({ type: String, nullable: true })
  description: string | null;

  @ApiProperty({ type: String, nullable: true })
  default_text_model: string | null;

  @ApiProperty({ type: String, nullable: true })
  default_image_model: string | null;

  @ApiProperty({ type: String, nullable: true })
  default_provider_sort: string | null;

  @ApiProperty()
  is_observability_io_logging_enabled: boolean;

  @ApiProperty()
  is_observability_broadcast_enabled: boolean;

  @ApiProperty()
  is_data_discount_logging_enabled: boolean;

  @ApiProperty({ format: 'double' })
  io_logging_sampling_rate: number;

  @ApiProperty({ type: 'array', items: { type: 'integer' }, nullable: true })
  io_logging_api_key_ids: number[] | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  updated_at: string | null;

  @ApiProperty({ type: String, nullable: true })
  created_by: string | null;
}

export class WorkspaceResponse extends DataResponse(WorkspaceRecord) {}

export class WorkspaceListResponse extends ListResponse(WorkspaceRecord) {}

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

export class WorkspaceSettingsResponse extends DataResponse(WorkspaceSettingsRecord) {}
