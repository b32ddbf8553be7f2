import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

class EmbeddingData {
  @ApiProperty({ type: String, enum: ['embedding'] })
  readonly object: string;

  /** The index of the input in the request. */
  @ApiProperty({ type: 'integer' })
  readonly index: number;

  /** Numbers, or little-endian float32 in base64. */
  @ApiProperty({ oneOf: [{ type: 'array', items: { type: 'number' } }, { type: 'string' }] })
  readonly embedding: number[] | string;
}

class EmbeddingsCostDetails {
  /** The provider's charge to the caller's own account, in USD; null if the call used the platform's credential. */
  @ApiProperty({ type: Number, nullable: true })
  readonly upstream_inference_cost: number | null;

  @ApiProperty({ type: Number })
  readonly upstream_inference_prompt_cost: number;

  @ApiProperty({ type: Number })
  readonly upstream_inference_completions_cost: number;
}

export class EmbeddingsUsage {
  @ApiProperty({ type: 'integer' })
  readonly prompt_tokens: number;

  @ApiProperty({ type: 'integer' })
  readonly total_tokens: number;

  /** USD charged to the credits; 0 if the call used the caller's own credential. */
  @ApiProperty({ type: Number })
  readonly cost: number;

  @ApiProperty({ type: Boolean })
  readonly is_byok: boolean;

  @ApiProperty({ type: EmbeddingsCostDetails })
  readonly cost_details: EmbeddingsCostDetails;
}

/** Vectors in the order of the inputs. */
@ResponseExample({
  id: 'gen-019ab0c4-3c5e-7a61-9d0e-1f2a3b4c5d6e',
  object: 'list',
  model: 'author/embeddings-model',
  provider: 'North',
  data: [{ object: 'embedding', index: 0, embedding: [0.0123, -0.0456, 0.0789] }],
  usage: {
    prompt_tokens: 5,
    total_tokens: 5,
    cost: 1e-7,
    is_byok: false,
    cost_details: {
      upstream_inference_cost: null,
      upstream_inference_prompt_cost: 0,
      upstream_inference_completions_cost: 0,
    },
  },
})
export class EmbeddingsResponse {
  /** The generation id. */
  @ApiProperty({ type: String })
  readonly id: string;

  @ApiProperty({ type: String, enum: ['list'] })
  readonly object: string;

  /** The model that served the call. */
  @ApiProperty({ type: String })
  readonly model: string;

  /** The provider's display name. */
  @ApiProperty({ type: String })
  readonly provider: string;

  @ApiProperty({ type: [EmbeddingData] })
  readonly data: EmbeddingData[];

  @ApiProperty({ type: EmbeddingsUsage })
  readonly usage: EmbeddingsUsage;
}
