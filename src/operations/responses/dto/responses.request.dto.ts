import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsDefined, IsObject, IsOptional } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { METADATA } from '../../../text-edge/call-tags.js';
import { OwnTextMembers } from '../../../text-edge/own-text-members.dto.js';
import { ForwardsOtherMembers } from '../../../http/validation/request-validation.pipe.js';
import {
  NullableBoolean,
  NullableInteger,
  NullableNumber,
  NullableObject,
  NullableObjects,
  NullableEnum,
  NullableText,
} from '../../../http/validation/nullable-member.decorators.js';

const TIERS = ['auto', 'default', 'fast', 'flex', 'priority', 'scale'] as const;
const MAX_TOOLS = 10_000;
const MAX_INCLUDED = 100;

/** Request for a response. Nothing is stored. Members not listed here are forwarded to the provider. */
@RequestExamples({
  'built-in': {
    summary: 'A conversation with the built-in model, without a provider',
    value: { model: 'builtin/eliza', input: 'I am unhappy.' },
  },
  stream: {
    summary: 'The same as a stream',
    value: { model: 'builtin/eliza', stream: true, input: [{ role: 'user', content: 'I am unhappy.' }] },
  },
})
@ForwardsOtherMembers()
export class ResponsesRequestBody extends OwnTextMembers {
  /** A text, or the items of the conversation so far. */
  @ApiProperty({
    oneOf: [{ type: 'string' }, { type: 'array', minItems: 1, items: { type: 'object', additionalProperties: true } }],
    example: 'Hello',
  })
  @IsDefined()
  input: string | object[];

  /** The system instructions. They precede all items. */
  @NullableText()
  instructions?: string | null;

  /** The maximum number of output tokens. */
  @NullableInteger(1)
  max_output_tokens?: number | null;

  @NullableNumber(0, 2)
  temperature?: number | null;

  @NullableNumber(0, 1)
  top_p?: number | null;

  @NullableObjects(MAX_TOOLS)
  tools?: object[] | null;

  /** `none`, `auto`, `required`, or one tool. */
  @ApiPropertyOptional({ nullable: true, oneOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }] })
  tool_choice?: string | object | null;

  @NullableBoolean()
  parallel_tool_calls?: boolean | null;

  /** The `format` of the output, and its `verbosity`. */
  @NullableObject()
  text?: object | null;

  @NullableObject()
  reasoning?: object | null;

  /** Additional output of the provider, such as `reasoning.encrypted_content`. */
  @ApiPropertyOptional({ type: [String], nullable: true })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_INCLUDED)
  include?: string[] | null;

  /** `tags`: an array of at most 8 texts that label the call; it is not forwarded. */
  @ApiPropertyOptional(METADATA)
  @IsOptional()
  @IsObject()
  metadata?: object | null;

  @NullableEnum(TIERS)
  service_tier?: (typeof TIERS)[number] | null;

  /** `true` is refused, because nothing is stored. */
  @NullableBoolean({ default: false })
  store?: boolean | null;

  /** `true` is refused. */
  @NullableBoolean({ default: false })
  background?: boolean | null;

  @NullableText()
  prompt_cache_key?: string | null;

  @NullableObject()
  stream_options?: object | null;

  @NullableObject()
  cache_control?: object | null;
}

export const COMPACTION_EXAMPLES = {
  conversation: {
    summary: 'A conversation that has become long',
    value: { model: 'author/model', input: [{ role: 'user', content: 'Hello' }] },
  },
};
