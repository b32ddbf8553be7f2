import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import { OwnTextMembers } from '../../../text-edge/own-text-members.dto.js';
import { NullableObject, NullableObjects } from '../../../http/validation/nullable-member.decorators.js';

const MAX_MESSAGES = 100_000;
const MAX_TOOLS = 10_000;
const OBJECTS = { type: 'array', items: { type: 'object', additionalProperties: true } } as const;

/** The input of the model. */
export abstract class ConversationMembers extends OwnTextMembers {
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
