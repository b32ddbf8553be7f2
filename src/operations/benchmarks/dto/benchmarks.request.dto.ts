import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, type TransformFnParams } from 'class-transformer';
import { IsIn, IsString } from 'class-validator';
import { ARENAS, BENCHMARK_SOURCES, type Arena, type BenchmarkSource } from '../../../catalogue/benchmark.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { QueryInteger } from '../../../http/validation/query-value.decorators.js';
import { DIALECTS, fromWire, toWire } from '../../../kernel/dialect.js';

const TASK_TYPES = ['coding', 'intelligence', 'agentic'] as const;
export type TaskType = (typeof TASK_TYPES)[number];

const SOURCE_WORDS = DIALECTS.flatMap((dialect) => BENCHMARK_SOURCES.map((source) => toWire(source, dialect)));
const neutral = ({ value }: TransformFnParams): unknown => (typeof value === 'string' ? fromWire(value) : value);

export class BenchmarksRequest {
  /** The source of the scores. Default: all sources. */
  @ApiPropertyOptional({ enum: SOURCE_WORDS })
  @Transform(neutral)
  @IsOptionalField()
  @IsIn(BENCHMARK_SOURCES, { message: `source must be one of ${SOURCE_WORDS.join(', ')}` })
  source?: BenchmarkSource;

  /**
   * For the index source: the index to sort by; models without this index are omitted. For the arena source: only
   * scores whose category belongs to this task type.
   */
  @ApiPropertyOptional({ enum: TASK_TYPES })
  @IsOptionalField()
  @IsIn(TASK_TYPES, { message: `task_type must be one of ${TASK_TYPES.join(', ')}` })
  task_type?: TaskType;

  /**
   * Filters the scores of the arena source; refused with the index source. Default: `models` if the arena source is
   * requested, otherwise all arenas.
   */
  @ApiPropertyOptional({ enum: ARENAS })
  @IsOptionalField()
  @IsIn(ARENAS, { message: `arena must be one of ${ARENAS.join(', ')}` })
  arena?: Arena;

  /**
   * Filters the scores of the arena source by a category of the arena; refused with the index source. Default: all
   * categories.
   */
  @ApiPropertyOptional({ type: String })
  @IsOptionalField()
  @IsString({ message: 'category must be given once, as a string' })
  category?: string;

  /** Default: all matches. */
  @QueryInteger({ min: 1 })
  max_results?: number;
}
