import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { openSchema } from '../../../http/openapi/open-schema.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

class ChatChoiceResponse {
  @ApiProperty({ type: 'integer' })
  readonly index: number;

  @ApiProperty({ type: String, enum: ['stop', 'length', 'tool_calls', 'content_filter', 'error'], nullable: true })
  readonly finish_reason: string | null;

  /** The provider's own value. */
  @ApiProperty({ type: String, nullable: true })
  readonly native_finish_reason: string | null;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true, nullable: true })
  readonly logprobs?: object | null;

  @ApiProperty({ type: 'object', additionalProperties: true })
  readonly message: object;
}

class ChatUsageResponse {
  @ApiProperty({ type: 'integer' })
  readonly prompt_tokens: number;

  @ApiProperty({ type: 'integer' })
  readonly completion_tokens: number;

  @ApiProperty({ type: 'integer' })
  readonly total_tokens: number;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } })
  readonly prompt_tokens_details: object;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } })
  readonly completion_tokens_details: object;

  /** USD charged to the credits; 0 if the call used the caller's own credential. */
  @ApiProperty({ type: Number })
  readonly cost: number;

  @ApiProperty({ type: Boolean })
  readonly is_byok: boolean;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'number', nullable: true } })
  readonly cost_details: object;
}

/** A complete response. Members that the provider adds are kept. */
@ApiExtraModels(ChatChoiceResponse)
@ResponseExample({
  id: 'gen-019ab0c4-3c5e-7a61-9d0e-1f2a3b4c5d6e',
  object: 'chat.completion',
  created: 1795132800,
  model: 'author/text-model',
  provider: 'North',
  system_fingerprint: null,
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      native_finish_reason: 'stop',
      logprobs: null,
      message: { role: 'assistant', content: 'Hello! How can I help you?', refusal: null },
    },
  ],
  usage: {
    prompt_tokens: 12,
    completion_tokens: 9,
    total_tokens: 21,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
    cost: 0.000105,
    is_byok: false,
    cost_details: { upstream_inference_cost: null },
  },
})
export class ChatCompletionResponse {
  /** The generation id. */
  @ApiProperty({ type: String })
  readonly id: string;

  @ApiProperty({ type: String, enum: ['chat.completion'] })
  readonly object: string;

  /** Unix seconds. */
  @ApiProperty({ type: 'integer' })
  readonly created: number;

  /** The model that served the call. */
  @ApiProperty({ type: String })
  readonly model: string;

  /** The provider's display name. */
  @ApiProperty({ type: String })
  readonly provider: string;

  @ApiProperty({ type: String, nullable: true })
  readonly system_fingerprint: string | null;

  /** The service tier that was used, if the provider reports it. */
  @ApiPropertyOptional({ type: String, nullable: true })
  readonly service_tier?: string | null;

  @ApiProperty({ type: 'array', items: openSchema(ChatChoiceResponse) })
  readonly choices: ChatChoiceResponse[];

  @ApiProperty({ type: ChatUsageResponse })
  readonly usage: ChatUsageResponse;
}
