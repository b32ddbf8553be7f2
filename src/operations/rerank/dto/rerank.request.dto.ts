import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { HasCharacters } from '../../../http/validation/has-characters.decorator.js';
import { IsTrackingId } from '../../../http/validation/is-name.decorators.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { NullableInteger, NullableObject, NullableText } from '../../../http/validation/nullable-member.decorators.js';

/** The maximum that vendors accept. */
const MAX_DOCUMENTS = 10_000;

/** Rerank request. Unknown fields are ignored. */
@RequestExamples({
  'built-in': {
    summary: 'Two texts with the built-in model, without a provider',
    value: {
      model: 'builtin/lexical-embedding',
      query: 'red kites',
      documents: ['A ship at sea', 'Two red kites'],
      top_n: 1,
    },
  },
})
export class RerankRequestBody {
  /** Model identifier. */
  @ApiProperty({ minLength: 1, example: 'builtin/lexical-embedding' })
  @IsString()
  @HasCharacters()
  model: string;

  @ApiProperty({ minLength: 1, example: 'What is the capital of France?' })
  @IsString()
  @HasCharacters()
  query: string;

  /** Texts, or objects with a text or an image. */
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: MAX_DOCUMENTS,
    items: {
      oneOf: [
        { type: 'string' },
        {
          type: 'object',
          properties: { text: { type: 'string' }, image: { type: 'string' } },
          anyOf: [{ required: ['text'] }, { required: ['image'] }],
        },
      ],
    },
    example: ['Paris is the capital of France.', 'Berlin is the capital of Germany.'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_DOCUMENTS)
  documents: (string | object)[];

  /** The number of results, most relevant first. Default: all. */
  @NullableInteger(1)
  top_n?: number | null;

  /** Provider preferences and passthrough. */
  @NullableObject()
  provider?: object | null;

  /** Recorded with the call. */
  @NullableText(256)
  session_id?: string | null;

  @NullableObject()
  trace?: object | null;

  /** The end user's tracking id, recorded with the call. */
  @ApiPropertyOptional({ minLength: 1, maxLength: 256 })
  @IsOptionalField()
  @IsTrackingId()
  user?: string;
}
