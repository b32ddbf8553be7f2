import { ApiExtraModels, ApiProperty } from '@nestjs/swagger';
import { openSchema } from '../../../http/openapi/open-schema.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

class MessageUsageResponse {
  /** Input tokens, without the tokens that a cache served or stored. */
  @ApiProperty({ type: 'integer' })
  readonly input_tokens: number;

  @ApiProperty({ type: 'integer' })
  readonly output_tokens: number;

  @ApiProperty({ type: 'integer' })
  readonly cache_creation_input_tokens: number;

  @ApiProperty({ type: 'integer' })
  readonly cache_read_input_tokens: number;

  /** The tokens written to a cache, by lifetime. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } })
  readonly cache_creation: object;

  /** USD charged to the credits; 0 if the call used the caller's own credential. */
  @ApiProperty({ type: Number })
  readonly cost: number;

  @ApiProperty({ type: Boolean })
  readonly is_byok: boolean;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'number', nullable: true } })
  readonly cost_details: object;
}

/** A complete response. Members that the provider adds are kept. */
@ApiExtraModels(MessageUsageResponse)
@ResponseExample({
  id: 'gen-019ab0c4-3c5e-7a61-9d0e-1f2a3b4c5d6e',
  type: 'message',
  role: 'assistant',
  model: 'author/text-model',
  provider: 'North',
  content: [{ type: 'text', text: 'Hello! How can I help you?' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: {
    input_tokens: 12,
    output_tokens: 9,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    cost: 0.000171,
    is_byok: false,
    cost_details: { upstream_inference_cost: null },
  },
})
export class MessageResponse {
  /** The generation id. */
  @ApiProperty({ type: String })
  readonly id: string;

  @ApiProperty({ type: String, enum: ['message'] })
  readonly type: string;

  @ApiProperty({ type: String, enum: ['assistant'] })
  readonly role: string;

  /** The model that served the call. */
  @ApiProperty({ type: String })
  readonly model: string;

  /** The provider's display name. */
  @ApiProperty({ type: String })
  readonly provider: string;

  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  readonly content: object[];

  @ApiProperty({ type: String, nullable: true })
  readonly stop_reason: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly stop_sequence: string | null;

  @ApiProperty(openSchema(MessageUsageResponse))
  readonly usage: MessageUsageResponse;
}

/** A number of tokens. */
@ResponseExample({ input_tokens: 12 })
export class TokenCountResponse {
  @ApiProperty({ type: 'integer' })
  readonly input_tokens: number;
}
