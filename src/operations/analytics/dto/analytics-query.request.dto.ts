import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Max,
  Min,
  Validate,
  ValidateNested,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { IsOptionalField } from '../../../http/is-optional-field.decorator.js';
import { DIMENSIONS, GRANULARITIES, METRICS, OPERATORS } from '../../../usage/analytics-vocabulary.js';

const MOST_ROWS = 10_000;
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

/** One condition; several must hold together. */
export class AnalyticsFilter {
  /** A dimension. */
  @ApiProperty({ enum: Object.keys(DIMENSIONS), example: 'model' })
  @IsString()
  field: string;

  @ApiProperty({ enum: Object.keys(OPERATORS), example: 'eq' })
  @IsString()
  operator: string;

  /** A string or number, or with `in` and `not_in` an array. Keys are named by their hash, members and workspaces by their id. */
  @ApiProperty({
    oneOf: [
      { type: 'string' },
      { type: 'number' },
      { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
    ],
  })
  @Validate(FilterValueRule)
  value: string | number | (string | number)[];

  /** With `in` and `not_in`: calls that have no such value match too. */
  @ApiPropertyOptional({ type: Boolean, default: false })
  @IsOptionalField()
  @IsBoolean()
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

/** From `start` on, up to but without `end`. */
export class AnalyticsTimeRange {
  @ApiProperty({ format: 'date-time' })
  @IsString()
  start: string;

  @ApiProperty({ format: 'date-time' })
  @IsString()
  end: string;
}

/** Analytics query request (specification). Fields that it does not name are ignored. */
export class AnalyticsQueryRequest {
  @ApiProperty({ type: [String], enum: Object.keys(METRICS), minItems: 1, example: ['request_count'] })
  @IsArray()
  @ArrayMinSize(1)
  @IsString({ each: true })
  metrics: string[];

  /** What to group by. */
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

  /** Buckets of time, in UTC. `minute` needs a time range of at most 3 hours. */
  @ApiPropertyOptional({ type: String, enum: Object.keys(GRANULARITIES), example: 'day' })
  @IsOptionalField()
  @IsString()
  granularity?: string;

  /** Most rows per combination of dimensions. Absent on a time series: as many as there are buckets. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MOST_ROWS })
  @IsOptionalField()
  @IsInt()
  @Min(1)
  @Max(MOST_ROWS)
  group_limit?: number;

  /** Most rows in all. Absent: 1000, or more on a time series with dimensions and no group_limit. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MOST_ROWS, default: 1000 })
  @IsOptionalField()
  @IsInt()
  @Min(1)
  @Max(MOST_ROWS)
  limit?: number;

  @ApiPropertyOptional({ type: AnalyticsOrder })
  @IsOptionalField()
  @IsObject()
  @ValidateNested()
  @Type(() => AnalyticsOrder)
  order_by?: AnalyticsOrder;

  /** Absent: the last 7 days. At most 365 days; 31 with latency, throughput and dimensions that only single calls have. */
  @ApiPropertyOptional({ type: AnalyticsTimeRange })
  @IsOptionalField()
  @IsObject()
  @ValidateNested()
  @Type(() => AnalyticsTimeRange)
  time_range?: AnalyticsTimeRange;
}
