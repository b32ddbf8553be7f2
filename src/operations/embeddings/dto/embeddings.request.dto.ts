import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsOptional, IsString, MaxLength } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { HasCharacters } from '../../../http/validation/has-characters.decorator.js';
import { IsTrackingId } from '../../../http/validation/is-name.decorators.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import {
  NullableEnum,
  NullableInteger,
  NullableObject,
  NullableText,
} from '../../../http/validation/nullable-member.decorators.js';

const ENCODINGS = ['float', 'base64'] as const;
const MAX_INPUT_TYPE_CHARACTERS = 256;
const TOKEN_IDS = { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 1 } as const;

/** Embeddings request. Unknown fields are ignored. */
@RequestExamples({
  'built-in': {
    summary: 'Two texts with the built-in model, without a provider',
    value: { model: 'builtin/lexical-embedding', input: ['A red kite', 'Two red kites'] },
  },
  base64: {
    summary: 'One text as 64 numbers in base64',
    value: { model: 'builtin/lexical-embedding', input: 'A red kite', dimensions: 64, encoding_format: 'base64' },
  },
})
export class EmbeddingsRequestBody {
  /** One input or up to 2,048: texts, lists of token ids, or objects with parts of several kinds. */
  @ApiProperty({
    example: 'The lighthouse stands on the rock.',
    oneOf: [
      { type: 'string', minLength: 1 },
      { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, maxItems: 2_048 },
      TOKEN_IDS,
      { type: 'array', items: TOKEN_IDS, minItems: 1, maxItems: 2_048 },
      {
        type: 'array',
        minItems: 1,
        maxItems: 2_048,
        items: {
          type: 'object',
          required: ['content'],
          properties: {
            content: { type: 'array', items: { type: 'object', additionalProperties: true }, minItems: 1 },
          },
        },
      },
    ],
  })
  @IsDefined()
  input: string | object[] | string[] | number[] | number[][];

  /** Model identifier. */
  @ApiProperty({ minLength: 1, example: 'builtin/lexical-embedding' })
  @IsString()
  @HasCharacters()
  model: string;

  /** The format of the vectors: numbers, or little-endian float32 in base64. */
  @NullableEnum(ENCODINGS, { byDefault: 'float' })
  encoding_format?: (typeof ENCODINGS)[number] | null;

  /** The length of each vector, for models that can shorten them. */
  @NullableInteger(1)
  dimensions?: number | null;

  /** The purpose of the vectors, such as `search_query` or `search_document`, for models that distinguish purposes. */
  @ApiPropertyOptional({ type: String, nullable: true, example: 'search_query' })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_INPUT_TYPE_CHARACTERS)
  input_type?: string | null;

  /** Provider preferences and passthrough. */
  @NullableObject()
  provider?: object | null;

  /** Recorded with the call. */
  @NullableText(256)
  session_id?: string | null;

  @NullableObject()
  trace?: object | null;

  /** The end user's tracking id, recorded with the call. Providers get a keyed hash of it. */
  @ApiPropertyOptional({ minLength: 1, maxLength: 256 })
  @IsOptionalField()
  @IsTrackingId()
  user?: string;
}
