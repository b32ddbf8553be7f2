import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsObject, IsOptional } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { METADATA } from '../../../text-edge/call-tags.js';
import { ForwardsOtherMembers } from '../../../http/validation/request-validation.pipe.js';
import { EFFORTS } from '../../../formats/conversation.js';
import { SamplingMembers } from './sampling.request.dto.js';
import {
  NullableBoolean,
  NullableEnum,
  NullableObject,
  NullableObjects,
  NullableText,
} from '../../../http/validation/nullable-member.decorators.js';

const TIERS = ['auto', 'default', 'fast', 'flex', 'priority', 'scale'] as const;
const MAX_MESSAGES = 100_000;
const MAX_TOOLS = 10_000;

/** Chat request. Members not listed here are forwarded to the provider. */
@RequestExamples({
  'built-in': {
    summary: 'A conversation with the built-in model, without a provider',
    value: { model: 'builtin/eliza', messages: [{ role: 'user', content: 'I am unhappy.' }] },
  },
  stream: {
    summary: 'The same as a stream',
    value: { model: 'builtin/eliza', stream: true, messages: [{ role: 'user', content: 'I am unhappy.' }] },
  },
})
@ForwardsOtherMembers()
export class ChatRequestBody extends SamplingMembers {
  /** The conversation so far. If the last message is from the assistant, the model continues it. */
  @ApiProperty({
    type: 'array',
    minItems: 1,
    items: { type: 'object', additionalProperties: true },
    example: [{ role: 'user', content: 'Hello' }],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_MESSAGES)
  messages: object[];

  @NullableObjects(MAX_TOOLS)
  tools?: object[] | null;

  /** `none`, `auto`, `required`, or one function. */
  @ApiPropertyOptional({ nullable: true, oneOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }] })
  tool_choice?: string | object | null;

  @NullableBoolean()
  parallel_tool_calls?: boolean | null;

  @NullableObject()
  response_format?: object | null;

  @NullableObject()
  reasoning?: object | null;

  @NullableEnum(EFFORTS)
  reasoning_effort?: (typeof EFFORTS)[number] | null;

  @NullableBoolean({ deprecated: true })
  include_reasoning?: boolean | null;

  @ApiPropertyOptional({ type: 'array', items: { type: 'string', enum: ['text', 'image', 'audio'] }, nullable: true })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(3)
  modalities?: string[] | null;

  @NullableObject()
  audio?: object | null;

  /** `tags`: an array of at most 8 texts that label the call; it is not forwarded. */
  @ApiPropertyOptional(METADATA)
  @IsOptional()
  @IsObject()
  metadata?: object | null;

  @NullableEnum(TIERS)
  service_tier?: (typeof TIERS)[number] | null;

  @NullableText()
  prompt_cache_key?: string | null;

  @NullableObject()
  stream_options?: object | null;

  @NullableObject()
  cache_control?: object | null;
}
