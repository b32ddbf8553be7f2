import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { IsText } from '../../../http/validation/is-text.decorator.js';
import { NullableStoredText } from '../../../http/validation/nullable-member.decorators.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';
import { DESCRIPTION_MAX, INSTRUCTIONS_MAX, NAME, NAME_LENGTH, NAME_RULE } from './intern-fields.js';

const MODEL = /^[^/\s]+\/\S+$/;

/** Absent members are unchanged. Null deletes the value. */
@RequestExamples({
  'Other instructions, no description': { value: { instructions: 'Report by eight.', description: null } },
})
@NoAdditionalFields()
export class UpdateInternRequest {
  @ApiPropertyOptional({ type: String, minLength: NAME_LENGTH.min, maxLength: NAME_LENGTH.max, pattern: NAME.source })
  @IsOptionalField()
  @Matches(NAME, { message: NAME_RULE })
  @IsText(NAME_LENGTH)
  name?: string;

  @NullableStoredText({ max: DESCRIPTION_MAX })
  description?: string | null;

  @NullableStoredText({ max: INSTRUCTIONS_MAX })
  instructions?: string | null;

  /** A text model, by its slug or an alias; null = the workspace default. Used from the next boot on. */
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    minLength: 1,
    maxLength: 200,
    pattern: MODEL.source,
    example: 'builtin/eliza',
  })
  @IsOptional()
  @Matches(MODEL, { message: 'model must be a slug such as author/name' })
  @IsText({ min: 1, max: 200 })
  model?: string | null;
}
