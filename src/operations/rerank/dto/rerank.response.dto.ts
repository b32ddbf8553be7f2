import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

class RankedDocumentContent {
  @ApiPropertyOptional({ type: String })
  readonly text?: string;

  @ApiPropertyOptional({ type: String })
  readonly image?: string;
}

class RerankResult {
  /** The index of the document in the request. */
  @ApiProperty({ type: 'integer' })
  readonly index: number;

  /** A higher score is more relevant. Scores of different responses cannot be compared. */
  @ApiProperty({ type: Number })
  readonly relevance_score: number;

  @ApiProperty({ type: RankedDocumentContent })
  readonly document: RankedDocumentContent;
}

class RerankUsage {
  /** USD charged to the credits; 0 if the call used the caller's own credential. */
  @ApiProperty({ type: Number })
  readonly cost: number;

  /** Only for models that are priced by search units. */
  @ApiPropertyOptional({ type: 'integer' })
  readonly search_units?: number;

  /** Only for models that are priced by tokens. */
  @ApiPropertyOptional({ type: 'integer' })
  readonly total_tokens?: number;
}

/** Sorted by relevance, highest first. */
@ResponseExample({
  id: 'gen-019ab0c4-3c5e-7a61-9d0e-1f2a3b4c5d6e',
  model: 'author/rerank-model',
  provider: 'North',
  results: [{ index: 1, relevance_score: 0.98, document: { text: 'Paris is the capital of France.' } }],
  usage: { cost: 0.002, search_units: 1 },
})
export class RerankResponse {
  /** The generation id. */
  @ApiProperty({ type: String })
  readonly id: string;

  /** The model that served the call. */
  @ApiProperty({ type: String })
  readonly model: string;

  /** The provider's display name. */
  @ApiProperty({ type: String })
  readonly provider: string;

  @ApiProperty({ type: [RerankResult] })
  readonly results: RerankResult[];

  @ApiProperty({ type: RerankUsage })
  readonly usage: RerankUsage;
}
