import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

const CHOICE = {
  type: 'object',
  additionalProperties: true,
  required: ['text', 'index', 'logprobs', 'finish_reason', 'native_finish_reason'],
  properties: {
    text: { type: 'string' },
    index: { type: 'integer', description: 'Counted over the choices of all prompts' },
    logprobs: { type: 'object', additionalProperties: true, nullable: true },
    finish_reason: { type: 'string', nullable: true },
    native_finish_reason: { type: 'string', nullable: true, description: "The provider's own value" },
  },
};

/** A complete response. */
@ResponseExample({
  id: 'gen-019ab0c4-3c5e-7a61-9d0e-1f2a3b4c5d6e',
  object: 'text_completion',
  created: 1795132800,
  model: 'author/text-model',
  provider: 'North',
  choices: [{ text: ' a time', index: 0, logprobs: null, finish_reason: 'stop', native_finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, cost: 0.000024 },
})
export class CompletionResponse {
  /** The generation id. */
  @ApiProperty({ type: String })
  readonly id: string;

  @ApiProperty({ type: String, enum: ['text_completion'] })
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

  @ApiProperty({ type: 'array', items: CHOICE })
  readonly choices: object[];

  /** The usage, as in a chat completion. */
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    required: ['prompt_tokens', 'completion_tokens', 'total_tokens', 'cost'],
    properties: {
      prompt_tokens: { type: 'integer' },
      completion_tokens: { type: 'integer' },
      total_tokens: { type: 'integer' },
      cost: {
        type: 'number',
        description: "USD charged to the credits; 0 if the call used the caller's own credential",
      },
    },
  })
  readonly usage: object;
}
