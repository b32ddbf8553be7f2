import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { IsText } from '../../../http/validation/is-text.decorator.js';
import { NullableStoredText } from '../../../http/validation/nullable-member.decorators.js';
import { OptionalBoolean, OptionalUuid } from '../../../http/validation/optional-member.decorators.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';
import { DESCRIPTION_MAX, INSTRUCTIONS_MAX, NAME, NAME_LENGTH, NAME_RULE } from './intern-fields.js';

@RequestExamples({
  'Create now, provision later': {
    value: {
      name: 'night-watch',
      description: 'Watches the nightly builds',
      instructions: 'Report every red build by seven.',
    },
  },
  'Create and provision at once': { value: { name: 'day-watch', provision: true } },
})
@NoAdditionalFields()
export class CreateInternRequest {
  /** Unique per creator within the workspace. */
  @ApiProperty({
    type: String,
    minLength: NAME_LENGTH.min,
    maxLength: NAME_LENGTH.max,
    pattern: NAME.source,
    example: 'night-watch',
  })
  @Matches(NAME, { message: NAME_RULE })
  @IsText(NAME_LENGTH)
  name: string;

  @NullableStoredText({ max: DESCRIPTION_MAX })
  description?: string | null;

  /** Standing instructions that the intern starts with. */
  @NullableStoredText({ max: INSTRUCTIONS_MAX })
  instructions?: string | null;

  /** Whether this operation also starts provisioning. */
  @OptionalBoolean({ byDefault: false })
  provision?: boolean;

  /** A vault of another intern in the same workspace, attached as a borrowed vault. */
  @OptionalUuid('loose')
  vault_id?: string;

  /** The workspace of the intern; must be the workspace of the key. */
  @OptionalUuid('loose')
  workspace_id?: string;
}
