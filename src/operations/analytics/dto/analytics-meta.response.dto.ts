import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse } from '../../../http/reply/data-response.js';

const FORMATS = ['number', 'currency', 'percent', 'latency', 'throughput'] as const;

export class AnalyticsWordMeta {
  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: String })
  display_label: string;
}

export class AnalyticsMetricMeta extends AnalyticsWordMeta {
  /** Whether the values of the metric must not be summed. */
  @ApiProperty({ type: Boolean })
  is_rate: boolean;

  @ApiProperty({ type: String, enum: FORMATS })
  display_format: string;
}

export class AnalyticsOperatorMeta {
  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: String, enum: ['scalar', 'array'] })
  value_type: string;
}

@ResponseExample({
  metrics: [{ name: 'request_count', display_label: 'Requests', is_rate: false, display_format: 'number' }],
  dimensions: [{ name: 'model', display_label: 'Model' }],
  operators: [{ name: 'eq', value_type: 'scalar' }],
  granularities: [{ name: 'day', display_label: 'Day' }],
})
export class AnalyticsMeta {
  @ApiProperty({ type: [AnalyticsMetricMeta] })
  metrics: AnalyticsMetricMeta[];

  @ApiProperty({ type: [AnalyticsWordMeta] })
  dimensions: AnalyticsWordMeta[];

  @ApiProperty({ type: [AnalyticsOperatorMeta] })
  operators: AnalyticsOperatorMeta[];

  @ApiProperty({ type: [AnalyticsWordMeta] })
  granularities: AnalyticsWordMeta[];
}

export class AnalyticsMetaResponse extends DataResponse(AnalyticsMeta) {}
