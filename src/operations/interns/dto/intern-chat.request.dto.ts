import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { NullableEnum, NullableStoredText } from '../../../http/validation/nullable-member.decorators.js';
import { APPROVAL_MODES } from './intern-settings.request.dto.js';

const MAX_MESSAGES = 100_000;
const ARGUMENTS = '{"kind":"permission","operation":"POST https://api.example.com/","options":["allow_once"]}';
/** A question of an intern, which an answer repeats. */
const CALL = {
  id: 'question-1',
  type: 'function',
  function: { name: 'openrouter.provide_input', arguments: ARGUMENTS },
};

/** A message for an intern. Other members are ignored, because the intern has its own model, sampling and tools. */
@RequestExamples({
  'A message': {
    value: { stream: true, messages: [{ role: 'user', content: 'Summarise the open issues.' }] },
  },
  'An answer to a question': {
    value: {
      stream: true,
      session_id: 'issues',
      messages: [
        { role: 'assistant', content: null, tool_calls: [CALL] },
        { role: 'tool', tool_call_id: 'question-1', content: 'allow_once' },
      ],
    },
  },
})
export class InternChatRequest {
  /**
   * Only the last message is read. A message with the role `user` (text or text parts, 1 to 32,000 characters) starts a
   * run. A message with the role `tool` answers a question and requires `session_id`.
   */
  @ApiProperty({
    type: 'array',
    minItems: 1,
    items: { type: 'object', additionalProperties: true },
    example: [{ role: 'user', content: 'What did you find?' }],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_MESSAGES)
  messages: unknown[];

  /** Must be true: this operation only streams. */
  @ApiProperty({ type: Boolean, enum: [true] })
  @IsIn([true], { message: 'stream must be true: this operation only streams' })
  stream: true;

  /** The session to continue. Absent: a new session. An unknown id starts a session with that id. */
  @NullableStoredText({ min: 1, max: 256 })
  session_id?: string | null;

  /**
   * Whether the intern asks before each effect, in the run that this message starts. Default: the mode in the settings
   * of the intern.
   */
  @NullableEnum(APPROVAL_MODES)
  approval_mode?: (typeof APPROVAL_MODES)[number] | null;
}
