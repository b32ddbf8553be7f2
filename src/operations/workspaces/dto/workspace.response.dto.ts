import { ApiProperty } from '@nestjs/swagger';

/** A workspace. */
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

export class WorkspaceResponse {
  @ApiProperty({ type: WorkspaceRecord })
  data: WorkspaceRecord;
}

export class WorkspaceListResponse {
  @ApiProperty({ type: [WorkspaceRecord] })
  data: WorkspaceRecord[];

  /** All workspaces of the account. */
  @ApiProperty({ type: 'integer' })
  total_count: number;
}

export class WorkspaceDeletedResponse {
  @ApiProperty({ enum: [true] })
  deleted: true;
}
