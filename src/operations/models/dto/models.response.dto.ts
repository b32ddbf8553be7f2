import { ApiProperty } from '@nestjs/swagger';

export class ModelArchitecture {
  @ApiProperty({ example: 'text->image' })
  modality: string;

  @ApiProperty({ type: [String] })
  input_modalities: string[];

  @ApiProperty({ type: [String] })
  output_modalities: string[];

  @ApiProperty({ type: String, nullable: true })
  instruct_type: string | null;

  @ApiProperty()
  tokenizer: string;
}

/** Decimal numbers in text form: USD per token, per image, per request; "-1" where the price is unknown. */
export class ModelPricing {
  @ApiProperty({ example: '0' })
  prompt: string;

  @ApiProperty({ example: '0' })
  completion: string;

  @ApiProperty({ example: '0' })
  image: string;

  @ApiProperty({ example: '0' })
  request: string;
}

export class ModelTopProvider {
  @ApiProperty({ type: 'integer' })
  context_length: number;

  @ApiProperty({ type: 'integer', nullable: true })
  max_completion_tokens: number | null;

  @ApiProperty()
  is_moderated: boolean;
}

export class ModelLinks {
  /** Path of the model's endpoints listing. */
  @ApiProperty()
  details: string;
}

/** Model record (specification, "Model record"). */
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
  /** Path and query of the next part of the list. */
  @ApiProperty({ type: String, nullable: true })
  next: string | null;
}

export class ModelsResponse {
  @ApiProperty({ type: [ModelRecord] })
  data: ModelRecord[];

  /** Of all models that pass the filters, on whatever part of the list. */
  @ApiProperty({ type: 'integer' })
  total_count: number;

  @ApiProperty({ type: ModelsLinks })
  links: ModelsLinks;
}

export class ModelResponse {
  @ApiProperty({ type: ModelRecord })
  data: ModelRecord;
}

export class ModelsCount {
  @ApiProperty({ type: 'integer' })
  count: number;
}

export class ModelsCountResponse {
  @ApiProperty({ type: ModelsCount })
  data: ModelsCount;
}
