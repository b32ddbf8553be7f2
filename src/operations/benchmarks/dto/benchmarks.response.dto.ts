import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { ARENAS, BENCHMARK_SOURCES, type BenchmarkSource } from '../../../catalogue/benchmark.js';
import { DIALECTS, toWire } from '../../../kernel/dialect.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

const wordsOf = (source: BenchmarkSource): string[] => DIALECTS.map((dialect) => toWire(source, dialect));

/** Decimal numbers in text form, in USD per token. */
export class BenchmarkPricing {
  @ApiProperty({ type: String })
  prompt: string;

  @ApiProperty({ type: String })
  completion: string;
}

/** A model with scores. */
class BenchmarkModel {
  @ApiProperty({ type: String })
  model_permaslug: string;

  @ApiProperty({ type: String })
  display_name: string;

  /** Null if the model or its price is unknown to this service. */
  @ApiProperty({ type: BenchmarkPricing, nullable: true })
  pricing: BenchmarkPricing | null;
}

/** The indices of a model, from the index source. */
export class IndexBenchmark extends BenchmarkModel {
  @ApiProperty({ type: String, enum: wordsOf('index-source') })
  source: string;

  @ApiProperty({ type: Number, nullable: true })
  intelligence_index: number | null;

  @ApiProperty({ type: Number, nullable: true })
  coding_index: number | null;

  @ApiProperty({ type: Number, nullable: true })
  agentic_index: number | null;
}

/** The number of times that the model finished in each place. */
export class TournamentStats {
  @ApiProperty({ type: 'integer', nullable: true })
  first_place: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  second_place: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  third_place: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  fourth_place: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  total: number | null;
}

/** The rank of a model in one category of one arena, from the arena source. */
export class ArenaBenchmark extends BenchmarkModel {
  @ApiProperty({ type: String, enum: wordsOf('arena-source') })
  source: string;

  @ApiProperty({ type: String, enum: ARENAS })
  arena: string;

  @ApiProperty({ type: String })
  category: string;

  @ApiProperty({ type: Number })
  elo: number;

  /** In percent. */
  @ApiProperty({ type: Number })
  win_rate: number;

  @ApiProperty({ type: Number, nullable: true })
  avg_generation_time_ms: number | null;

  @ApiProperty({ type: TournamentStats })
  tournament_stats: TournamentStats;
}

export class BenchmarksMeta {
  /** When the source published the scores; the latest of these times if the request has no `source`. */
  @ApiProperty({ type: String })
  as_of: string;

  /** Models in the response, each counted once. */
  @ApiProperty({ type: 'integer' })
  model_count: number;

  @ApiProperty({ type: String, enum: ['v1'] })
  version: 'v1';

  /** How to cite the source; null if the response contains several sources. */
  @ApiProperty({ type: String, nullable: true })
  citation: string | null;

  @ApiProperty({ type: String, enum: [...BENCHMARK_SOURCES.flatMap(wordsOf), null], nullable: true })
  source: string | null;

  @ApiProperty({ type: String, nullable: true })
  source_url: string | null;

  @ApiProperty({ type: String, nullable: true })
  task_type: string | null;
}

@ApiExtraModels(IndexBenchmark, ArenaBenchmark)
@ResponseExample({
  data: [
    {
      source: 'index-source',
      model_permaslug: 'author/text-model',
      display_name: 'Text model',
      intelligence_index: 62.1,
      coding_index: 76.5,
      agentic_index: 56.6,
      pricing: { prompt: '0.00001', completion: '0.00005' },
    },
  ],
  meta: {
    as_of: '2026-11-20',
    model_count: 1,
    version: 'v1',
    citation: null,
    source: 'index-source',
    source_url: null,
    task_type: null,
  },
})
export class BenchmarksResponse {
  @ApiProperty({
    type: 'array',
    items: { oneOf: [{ $ref: getSchemaPath(IndexBenchmark) }, { $ref: getSchemaPath(ArenaBenchmark) }] },
  })
  data: (IndexBenchmark | ArenaBenchmark)[];

  @ApiProperty({ type: BenchmarksMeta })
  meta: BenchmarksMeta;
}
