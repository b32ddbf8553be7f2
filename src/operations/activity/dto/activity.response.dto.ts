import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

/** Usage on one UTC day, by model and provider. Amounts in USD. */
@ResponseExample({
  date: '2026-11-21',
  model: 'author/text-model',
  model_permaslug: 'author/text-model',
  endpoint_id: '019ab0c4-4444-7a61-9d0e-1f2a3b4c5d6e',
  provider_name: 'North',
  usage: 0.00126,
  byok_usage_inference: 0,
  requests: 12,
  prompt_tokens: 144,
  completion_tokens: 108,
  reasoning_tokens: 0,
})
export class ActivityItem {
  @ApiProperty({ example: '2026-11-19' })
  date: string;

  @ApiProperty()
  model: string;

  @ApiProperty()
  model_permaslug: string;

  @ApiProperty({ format: 'uuid' })
  endpoint_id: string;

  @ApiProperty()
  provider_name: string;

  /** Charged to the account's credits. */
  @ApiProperty({ format: 'double' })
  usage: number;

  /** Spent on the account's own provider credentials. */
  @ApiProperty({ format: 'double' })
  byok_usage_inference: number;

  @ApiProperty({ type: 'integer' })
  requests: number;

  @ApiProperty({ type: 'integer' })
  prompt_tokens: number;

  @ApiProperty({ type: 'integer' })
  completion_tokens: number;

  @ApiProperty({ type: 'integer' })
  reasoning_tokens: number;

  /** Only with group_by=workspace. */
  @ApiPropertyOptional({ format: 'uuid' })
  workspace_id?: string;
}

export class ActivityResponse {
  @ApiProperty({ type: [ActivityItem] })
  data: ActivityItem[];
}
