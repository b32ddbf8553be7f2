import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ModelPricing } from './pricing.response.dto.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse, ListResponse } from '../../../http/reply/data-response.js';

export class ModelArchitecture {
  @ApiProperty({ example: 'text->image' })
  modality: string;

  @ApiProperty({ type: [String] })
  input_modalities: string[];

  @ApiProperty({ type: [String] })
  output_modalities: string[];

  /** `none` if the type is unknown. */
  @ApiProperty({ example: 'none' })
  instruct_type: string;

  @ApiProperty()
  tokenizer: string;
}

export class ModelTopProvider {
  @ApiProperty({ type: 'integer' })
  context_length: number;

  /** Maximum number of completion tokens; the context length of the model if the maximum is unknown. */
  @ApiProperty({ type: 'integer' })
  max_completion_tokens: number;

  @ApiProperty()
  is_moderated: boolean;
}

export class ModelLinks {
  /** Path of the model's endpoints listing. */
  @ApiProperty()
  details: string;
}

/** Model record (specification, "Model record"). */
@ResponseExample({
  id: 'builtin/eliza',
  canonical_slug: 'builtin/eliza',
  name: 'Built-in: Eliza',
  description: 'A rule-based conversation, run inside this service: no network, no vendor.',
  created: 1795305600,
  context_length: 131072,
  architecture: {
    modality: 'text->text',
    input_modalities: ['text'],
    output_modalities: ['text'],
    instruct_type: 'none',
    tokenizer: 'Other',
  },
  pricing: { prompt: '0', completion: '0', image: '0', request: '0' },
  top_provider: { context_length: 131072, max_completion_tokens: 4096, is_moderated: false },
  supported_parameters: ['max_tokens', 'response_format', 'stop', 'structured_outputs', 'tool_choice', 'tools'],
  links: { details: '/api/v1/models/builtin/eliza/endpoints' },
  default_parameters: null,
  expiration_date: null,
  knowledge_cutoff: null,
  per_request_limits: null,
  supported_voices: null,
})
export class ModelRecord {
  @ApiProperty()
  id: string;

  @ApiProperty()
  canonical_slug: string;

  @ApiProperty()
  name: string;

  @ApiProperty()
  description: string;

  /** Unix seconds. */
  @ApiProperty({ type: 'integer' })
  created: number;

  @ApiProperty({ type: 'integer' })
  context_length: number;

  @ApiProperty({ type: ModelArchitecture })
  architecture: ModelArchitecture;

  @ApiProperty({ type: ModelPricing })
  pricing: ModelPricing;

  @ApiProperty({ type: ModelTopProvider })
  top_provider: ModelTopProvider;

  @ApiProperty({ type: [String] })
  supported_parameters: string[];

  @ApiProperty({ type: ModelLinks })
  links: ModelLinks;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  default_parameters: Record<string, number | null> | null;

  @ApiProperty({ type: String, nullable: true })
  expiration_date: string | null;

  @ApiProperty({ type: String, nullable: true })
  knowledge_cutoff: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  per_request_limits: Record<string, number> | null;

  @ApiProperty({ type: [String], nullable: true })
  supported_voices: string[] | null;
}

export class ModelsLinks {
  /** Path and query of the next page; null on the last page. */
  @ApiProperty({ type: String, nullable: true })
  next: string | null;
}

export class ModelsResponse {
  @ApiProperty({ type: [ModelRecord] })
  data: ModelRecord[];

  /**
   * The number of all models that match the filters. Set if the request has `offset` or `limit`, or if WIRE_DIALECT is
   * openrouter.
   */
  @ApiPropertyOptional({ type: 'integer' })
  total_count?: number;

  /** Set in the same cases as `total_count`. */
  @ApiPropertyOptional({ type: ModelsLinks })
  links?: ModelsLinks;
}

export class CountedModelsResponse extends ListResponse(ModelRecord) {
  @ApiProperty({ type: ModelsLinks })
  links: ModelsLinks;
}

export class ModelResponse extends DataResponse(ModelRecord) {}

@ResponseExample({ count: 217 })
export class ModelsCount {
  @ApiProperty({ type: 'integer' })
  count: number;
}

export class ModelsCountResponse extends DataResponse(ModelsCount) {}
