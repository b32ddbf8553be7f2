import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse } from '../../../http/reply/data-response.js';

export class AnalyticsQueryMetadata {
  @ApiProperty({ type: 'integer' })
  query_time_ms: number;

  @ApiProperty({ type: 'integer' })
  row_count: number;

  /** Whether rows are missing because of a limit. */
  @ApiProperty({ type: Boolean })
  truncated: boolean;
}

/** Analytics query response (specification). */
@ResponseExample({
  data: [
    { date__day: '2026-11-22T00:00:00.000Z', model: 'author/text-model', request_count: 12, total_usage: 0.00126 },
  ],
  metadata: { query_time_ms: 7, row_count: 1, truncated: false },
})
export class AnalyticsData {
  /**
   * Metrics and dimensions by their names, and the time bucket as `date__<granularity>`. A dimension without a value is
   * null.
   */
  @ApiProperty({
    type: 'array',
    items: {
      type: 'object',
      additionalProperties: { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
    },
  })
  data: Record<string, string | number | null>[];

  @ApiProperty({ type: AnalyticsQueryMetadata })
  metadata: AnalyticsQueryMetadata;

  /** Warnings about the figures, such as filter values that could not be resolved. */
  @ApiPropertyOptional({ type: [String] })
  warnings?: string[];
}

export class AnalyticsQueryResponse extends DataResponse(AnalyticsData) {}
