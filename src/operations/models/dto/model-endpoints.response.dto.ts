import { ApiProperty } from '@nestjs/swagger';
import { ModelArchitecture } from './models.response.dto.js';
import { EndpointPricing } from './pricing.response.dto.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse } from '../../../http/reply/data-response.js';

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

const ENDPOINT_EXAMPLE = {
  name: 'Gatehouse built-in | builtin/eliza',
  model_id: 'builtin/eliza',
  model_name: 'Built-in: Eliza',
  context_length: 131072,
  pricing: { prompt: '0', completion: '0' },
  provider_name: 'Gatehouse built-in',
  tag: 'builtin',
  quantization: null,
  max_completion_tokens: 4096,
  max_prompt_tokens: null,
  supported_parameters: ['max_tokens', 'response_format', 'stop', 'structured_outputs', 'tool_choice', 'tools'],
  supports_tool_choice: { auto: true, function: true, none: true, required: true },
  uptime_last_30m: null,
  uptime_last_5m: null,
  uptime_last_1d: null,
  supports_implicit_caching: false,
  latency_last_30m: null,
  throughput_last_30m: null,
};

/**
 * The endpoint of one provider for the model. Uptime, latency and throughput are always null, because they are not
 * measured.
 */
@ResponseExample(ENDPOINT_EXAMPLE)
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

  /** Distinguishes several endpoints of one provider. */
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

@ResponseExample({
  id: 'builtin/eliza',
  name: 'Built-in: Eliza',
  created: 1795305600,
  description: 'A rule-based conversation, run inside this service: no network, no vendor.',
  architecture: {
    modality: 'text->text',
    input_modalities: ['text'],
    output_modalities: ['text'],
    instruct_type: 'none',
    tokenizer: 'Other',
  },
  endpoints: [ENDPOINT_EXAMPLE],
})
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

export class ModelEndpointsResponse extends DataResponse(ModelEndpoints) {}

export class EndpointsResponse {
  @ApiProperty({ type: [ModelEndpoint] })
  data: ModelEndpoint[];
}
