import { ApiHideProperty, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsObject,
  IsString,
  Validate,
  ValidateNested,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import {
  OptionalBoolean,
  OptionalInteger,
  OptionalString,
} from '../../../http/validation/optional-member.decorators.js';
import { DIMENSIONS, GRANULARITIES, METRICS, OPERATORS } from '../../../usage/analytics-vocabulary.js';

/** The specification sets no maximum. A body with more metrics exceeds the maximum size of a body. */
const MAX_METRICS = 1_048_576;
const DIRECTIONS = ['asc', 'desc'] as const;

const isScalar = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));

@ValidatorConstraint({ name: 'isFilterValue' })
class FilterValueRule implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return isScalar(value) || (Array.isArray(value) && value.every(isScalar));
  }

  defaultMessage(): string {
    return 'value must be a string, a number, or an array of them';
  }
}

/** One condition. A call must meet all conditions. */
export class AnalyticsFilter {
  /** A dimension. */
  @ApiProperty({ enum: Object.keys(DIMENSIONS), example: 'model' })
  @IsString()
  field: string;

  @ApiProperty({ enum: Object.keys(OPERATORS), example: 'eq' })
  @IsString()
  operator: string;

  /**
   * A string or number; with `in` and `not_in` an array. Keys are identified by their hash, members and workspaces by
   * their id.
   */
  @ApiProperty({
    oneOf: [
      { type: 'string' },
      { type: 'number' },
      { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
    ],
  })
  @Validate(FilterValueRule)
  value: string | number | (string | number)[];

  /** With `in` and `not_in`, whether calls without a value match too. */
  @OptionalBoolean({ byDefault: false })
  include_unset?: boolean;
}

export class AnalyticsOrder {
  /** A requested metric, `request_count`, a requested dimension, or `date`. */
  @ApiProperty({ example: 'request_count' })
  @IsString()
  field: string;

  @ApiProperty({ enum: DIRECTIONS })
  @IsIn(DIRECTIONS)
  direction: (typeof DIRECTIONS)[number];
}

/** From `start` (inclusive) to `end` (exclusive). A timestamp without a zone, or a date alone, is in UTC. */
export class AnalyticsTimeRange {
  @ApiProperty({ format: 'date-time', example: '2026-01-31T00:00:00Z' })
  @IsString()
  start: string;

  @ApiProperty({ format: 'date-time', example: '2026-02-28T00:00:00Z' })
  @IsString()
  end: string;
}

/** Analytics query request (specification). Unknown fields are ignored. */
@RequestExamples({
  daily: {
    summary: 'Requests by model and day',
    value: { metrics: ['request_count', 'total_usage'], dimensions: ['model'], granularity: 'day' },
  },
  errors: {
    summary: 'Failed calls of the last week by status',
    value: {
      metrics: ['error_count'],
      dimensions: ['status'],
      filters: [{ field: 'status', operator: 'gte', value: 400 }],
      order_by: { field: 'error_count', direction: 'desc' },
    },
  },
})
export class AnalyticsQueryRequest {
  @ApiProperty({ type: [String], enum: Object.keys(METRICS), minItems: 1, example: ['request_count'] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_METRICS)
  @IsString({ each: true })
  metrics: string[];

  /** The dimensions to group by. */
  @ApiPropertyOptional({ type: [String], enum: Object.keys(DIMENSIONS), maxItems: 2, example: ['model'] })
  @IsOptionalField()
  @IsArray()
  @ArrayMaxSize(2)
  @IsString({ each: true })
  dimensions?: string[];

  @ApiPropertyOptional({ type: [AnalyticsFilter], maxItems: 20 })
  @IsOptionalField()
  @IsArray()
  @ArrayMaxSize(20)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => AnalyticsFilter)
  filters?: AnalyticsFilter[];

  /** The size of the time buckets, in UTC. */
  @OptionalString({ enum: Object.keys(GRANULARITIES), example: 'day' })
  granularity?: string;

  /** The maximum number of rows per combination of dimensions. Default in a time series: the number of buckets. */
  @OptionalInteger({ min: 1 })
  group_limit?: number;

  /**
   * The maximum number of rows. Default: 1000, or more for a time series with dimensions and no group_limit. A response
   * has at most 100,000 rows; `truncated` is set if there were more.
   */
  @OptionalInteger({ min: 1, byDefault: 1000 })
  limit?: number;

  @ApiPropertyOptional({ type: AnalyticsOrder })
  @IsOptionalField()
  @IsObject()
  @ValidateNested()
  @Type(() => AnalyticsOrder)
  order_by?: AnalyticsOrder;

  /** Any length. Default: the last 7 days. */
  @ApiPropertyOptional({ type: AnalyticsTimeRange })
  @IsOptionalField()
  @IsObject()
  @ValidateNested()
  @Type(() => AnalyticsTimeRange)
  time_range?: AnalyticsTimeRange;

  /** A field of the published API. It has no effect here, and the response contains a warning about it. */
  @ApiHideProperty()
  @Allow()
  classifier_dimensions?: unknown;

  /** See classifier_dimensions. */
  @ApiHideProperty()
  @Allow()
  classifier_filters?: unknown;
}
