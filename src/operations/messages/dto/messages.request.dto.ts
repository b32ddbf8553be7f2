import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsObject, IsOptional, IsString } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import {
  NullableInteger,
  NullableNumber,
  NullableObject,
  NullableObjects,
  NullableEnum,
} from '../../../http/validation/nullable-member.decorators.js';
import { ForwardsOtherMembers } from '../../../http/validation/request-validation.pipe.js';
import { OwnTextMembers } from '../../../text-edge/own-text-members.dto.js';

const MAX_MESSAGES = 100_000;
const MAX_TOOLS = 10_000;
const TIERS = ['auto', 'standard_only'] as const;
const MAX_STOP_SEQUENCES = 8_192;
const MAX_FALLBACKS = 100;
const OBJECTS = { type: 'array', items: { type: 'object', additionalProperties: true } } as const;

/** The input of the model. */
abstract class ConversationMembers extends OwnTextMembers {
  /** The conversation so far, with the roles `user`, `assistant` and `system`. */
  @ApiProperty({ ...OBJECTS, minItems: 1, example: [{ role: 'user', content: 'Hello' }] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_MESSAGES)
  messages: object[];

  /** A text, or blocks of text. */
  @ApiPropertyOptional({ nullable: true, oneOf: [{ type: 'string' }, OBJECTS] })
  system?: string | object[] | null;

  @NullableObjects(MAX_TOOLS)
  tools?: object[] | null;

  @NullableObject()
  tool_choice?: object | null;

  @NullableObject()
  thinking?: object | null;

  @NullableObject()
  output_config?: object | null;

  @NullableObject()
  cache_control?: object | null;
}

/** Messages request. Members not listed here are forwarded to providers that use this format. */
@RequestExamples({
  'built-in': {
    summary: 'A conversation with the built-in model, without a provider',
    value: {
      model: 'builtin/eliza',
      max_tokens: 256,
      messages: [{ role: 'user', content: 'I am unhappy.' }],
    },
  },
})
@ForwardsOtherMembers()
export class MessagesRequestBody extends ConversationMembers {
  /** The maximum number of output tokens. Default: the maximum of the model. */
  @NullableInteger(1)
  max_tokens?: number | null;

  @ApiPropertyOptional({ type: 'array', items: { type: 'string' }, nullable: true })
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  @ArrayMaxSize(MAX_STOP_SEQUENCES)
  stop_sequences?: string[] | null;

  @NullableNumber(0, 2)
  temperature?: number | null;

  @NullableNumber(0, 1)
  top_p?: number | null;

  @NullableInteger(0)
  top_k?: number | null;

  /** `user_id`: the end user if `user` is absent. Providers get a keyed hash of it. */
  @NullableObject()
  metadata?: { user_id?: unknown } | null;

  @NullableEnum(TIERS)
  service_tier?: (typeof TIERS)[number] | null;

  /** Models to fall back to, in order. This member is an alternative to `models`. */
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object', required: ['model'], properties: { model: { type: 'string', minLength: 1 } } },
    nullable: true,
  })
  @IsOptional()
  @IsArray()
  @IsObject({ each: true })
  @ArrayMaxSize(MAX_FALLBACKS)
  fallbacks?: { model: string }[] | null;
}

/** The request whose input tokens are counted. */
@RequestExamples({
  'a text': {
    summary: 'The tokens of a text',
    value: { model: 'builtin/eliza', messages: [{ role: 'user', content: 'I am unhappy.' }] },
  },
})
@ForwardsOtherMembers()
export class CountTokensRequestBody extends ConversationMembers {}
