import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ModelArchitecture } from './models.response.dto.js';

/** Decimal numbers in text form, in USD per token (`image`: per image); "-1" where the price is unknown. */
export class EndpointPricing {
  @ApiProperty({ type: String })
  prompt: string;

  @ApiProperty({ type: String })
  completion: string;

  @ApiPropertyOptional({ type: String })
  image?: string;

  @ApiPropertyOptional({ type: String })
  input_cache_read?: string;

  @ApiPropertyOptional({ type: String })
  input_cache_write?: string;

  @ApiPropertyOptional({ type: String })
  internal_reasoning?: string;

  @ApiPropertyOptional({ type: String })
  audio?: string;

  @ApiPropertyOptional({ type: String })
  audio_output?: string;
}

export class ToolChoiceSupport {
  @ApiProperty({ type: Boolean })
  auto: boolean;

  @ApiProperty({ type: Boolean })
  function: boolean;

  @ApiProperty({ type: Boolean })
  none: boolean;

  @ApiProperty({ type: Boolean })
  required: boolean;
}

/** One provider's offer of the model. Uptime, latency and throughput are null until they are measured per endpoint. */
export class ModelEndpoint {
  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: String })
  model_id: string;

  @ApiProperty({ type: String })
  model_name: string;

  @ApiProperty({ type: 'integer' })
  context_length: number;

  @ApiProperty({ type: EndpointPricing })
  pricing: EndpointPricing;

  @ApiProperty({ type: String })
  provider_name: string;

  /** Tells several endpoints of one provider apart. */
  @ApiProperty({ type: String })
  tag: string;

  @ApiProperty({ type: String, nullable: true })
  quantization: string | null;

  @ApiProperty({ type: 'integer', nullable: true })
  max_completion_tokens: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  max_prompt_tokens: number | null;

  @ApiProperty({ type: [String] })
  supported_parameters: string[];

  @ApiProperty({ type: ToolChoiceSupport })
  supports_tool_choice: ToolChoiceSupport;

  @ApiProperty({ type: Number, nullable: true })
  uptime_last_30m: number | null;

  @ApiProperty({ type: Number, nullable: true })
  uptime_last_5m: number | null;

  @ApiProperty({ type: Number, nullable: true })
  uptime_last_1d: number | null;

  @ApiProperty({ type: Boolean })
  supports_implicit_caching: boolean;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  latency_last_30m: Record<string, number> | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  throughput_last_30m: Record<string, number> | null;
}

export class ModelEndpoints {
  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String })
  name: string;

  /** Unix seconds. */
  @ApiProperty({ type: 'integer' })
  created: number;

  @ApiProperty({ type: String })
  description: string;

  @ApiProperty({ type: ModelArchitecture })
  architecture: ModelArchitecture;

  @ApiProperty({ type: [ModelEndpoint] })
  endpoints: ModelEndpoint[];
}

export class ModelEndpointsResponse {
  @ApiProperty({ type: ModelEndpoints })
  data: ModelEndpoints;
}

export class EndpointsResponse {
  @ApiProperty({ type: [ModelEndpoint] })
  data: ModelEndpoint[];
}
