import { ApiProperty } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { OwnTextMembers } from '../../../text-edge/own-text-members.dto.js';
import { ForwardsOtherMembers } from '../../../http/validation/request-validation.pipe.js';
import { NullableInteger, NullableText } from '../../../http/validation/nullable-member.decorators.js';

const MAX_OF_EACH_PROMPT = 128;
const TOKEN_IDS = { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 1 } as const;

/** Completion request. Members not listed here are forwarded to the provider. */
@RequestExamples({
  'built-in': {
    summary: 'With the built-in model, without any provider',
    value: { model: 'builtin/eliza', prompt: 'My mother takes care of me.', max_tokens: 64 },
  },
})
@ForwardsOtherMembers()
export class CompletionRequestBody extends OwnTextMembers {
  /** The prompts: one text or several, or their token ids. */
  @ApiProperty({
    example: 'Once upon a time',
    oneOf: [
      { type: 'string' },
      { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 1_024 },
      TOKEN_IDS,
      { type: 'array', items: TOKEN_IDS, minItems: 1, maxItems: 1_024 },
    ],
  })
  @IsDefined()
  prompt: string | string[] | number[] | number[][];

  /** The maximum number of output tokens of one choice. */
  @NullableInteger(1)
  max_tokens?: number | null;

  /** The number of choices for each prompt. */
  @NullableInteger(1, MAX_OF_EACH_PROMPT)
  n?: number | null;

  /** The number of choices that are generated for each prompt. The best `n` are returned; all are billed. */
  @NullableInteger(1, MAX_OF_EACH_PROMPT)
  best_of?: number | null;

  /** The text that follows the generated text. */
  @NullableText()
  suffix?: string | null;
}
