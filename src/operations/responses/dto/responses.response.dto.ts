import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

const ID = 'gen-019ab0c4-3c5e-7a61-9d0e-1f2a3b4c5d6e';
const MESSAGE = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Hello! How can I help you?', annotations: [] }],
};
const USAGE = {
  input_tokens: 12,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 21,
  cost: 0.000105,
  is_byok: false,
  cost_details: { upstream_inference_cost: null },
};

const RESPONSE_EXAMPLE = {
  id: ID,
  object: 'response',
  created_at: 1795132800,
  completed_at: 1795132802,
  status: 'completed',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  model: 'author/text-model',
  provider: 'North',
  output: [MESSAGE],
  parallel_tool_calls: true,
  temperature: 1,
  top_p: 1,
  tool_choice: 'auto',
  tools: [],
  usage: USAGE,
};

class ResponsesUsageResponse {
  @ApiProperty({ type: 'integer' })
  readonly input_tokens: number;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } })
  readonly input_tokens_details: object;

  @ApiProperty({ type: 'integer' })
  readonly output_tokens: number;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } })
  readonly output_tokens_details: object;

  @ApiProperty({ type: 'integer' })
  readonly total_tokens: number;

  /** USD charged to the credits; 0 if the call used the caller's own credential. */
  @ApiProperty({ type: Number })
  readonly cost: number;

  @ApiProperty({ type: Boolean })
  readonly is_byok: boolean;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'number', nullable: true } })
  readonly cost_details: object;
}

/** A response. Members that the provider adds are kept. */
@ApiExtraModels(ResponsesUsageResponse)
@ResponseExample(RESPONSE_EXAMPLE)
export class ResponsesResponse {
  /** The generation id. */
  @ApiProperty({ type: String })
  readonly id: string;

  @ApiProperty({ type: String, enum: ['response'] })
  readonly object: string;

  /** Unix seconds, like `completed_at`. */
  @ApiProperty({ type: 'integer' })
  readonly created_at: number;

  @ApiProperty({ type: 'integer', nullable: true })
  readonly completed_at: number | null;

  @ApiProperty({ type: String, enum: ['completed', 'incomplete', 'in_progress', 'failed', 'cancelled', 'queued'] })
  readonly status: string;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  readonly error: object | null;

  /** Why the response is incomplete: `max_output_tokens` or `content_filter`. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  readonly incomplete_details: object | null;

  @ApiProperty({ type: String, nullable: true })
  readonly instructions: string | null;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  readonly metadata: object;

  /** The model that served the call. */
  @ApiProperty({ type: String })
  readonly model: string;

  /** The provider's display name. */
  @ApiProperty({ type: String })
  readonly provider: string;

  /** Messages, reasoning, and calls of tools. */
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  readonly output: object[];

  @ApiProperty({ type: Boolean })
  readonly parallel_tool_calls: boolean;

  @ApiProperty({ type: Number, nullable: true })
  readonly temperature: number | null;

  @ApiProperty({ type: Number, nullable: true })
  readonly top_p: number | null;

  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }] })
  readonly tool_choice: string | object;

  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  readonly tools: object[];

  /** The service tier that was used, if the provider reports it. */
  @ApiPropertyOptional({ type: String, nullable: true })
  readonly service_tier?: string | null;

  @ApiProperty({ type: ResponsesUsageResponse })
  readonly usage: ResponsesUsageResponse;
}

/** The items that replace a conversation. Members that the provider adds are kept. */
@ResponseExample({ id: ID, output: [MESSAGE], usage: USAGE })
export class CompactionResponse {
  /** The generation id. */
  @ApiProperty({ type: String })
  readonly id: string;

  /** The input of the next request. */
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  readonly output: object[];

  @ApiProperty({ type: ResponsesUsageResponse })
  readonly usage: ResponsesUsageResponse;
}
