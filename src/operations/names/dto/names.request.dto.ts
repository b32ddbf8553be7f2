import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsUUID, Matches } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { IsText } from '../../../http/validation/is-text.decorator.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';
import { NAMES_EXAMPLES } from './names.examples.js';

/** The maximum number of ids of one kind in a request. */
export const MAX_NAMED = 200;
const MAX_QUERY_CHARACTERS = 100;
const HASH = /^[0-9a-f]{64}$/;

const Ids = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: MAX_NAMED }),
    IsOptionalField(),
    IsArray(),
    ArrayMaxSize(MAX_NAMED),
    IsUUID('loose', { each: true }),
  );

/** The ids to look up, at most 200 of each kind. */
@RequestExamples(NAMES_EXAMPLES)
@NoAdditionalFields()
export class NamesRequest {
  /** Current hashes of keys, or hashes from before a rotation. */
  @ApiPropertyOptional({ type: 'array', items: { type: 'string', pattern: HASH.source }, maxItems: MAX_NAMED })
  @IsOptionalField()
  @IsArray()
  @ArrayMaxSize(MAX_NAMED)
  @Matches(HASH, { each: true, message: 'each value in api_key_hashes must be 64 hexadecimal characters' })
  api_key_hashes?: string[];

  @Ids()
  user_ids?: string[];

  @Ids()
  workspace_ids?: string[];

  @Ids()
  intern_ids?: string[];
}

@RequestExamples({ support: { value: { query: 'support' } } })
@NoAdditionalFields()
export class NameSearchRequest {
  /** A part of a name; empty = every name. */
  @ApiProperty({ maxLength: MAX_QUERY_CHARACTERS, example: 'support' })
  @IsText({ max: MAX_QUERY_CHARACTERS })
  query: string;
}
