import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength, MinLength } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { OptionalString } from '../../../http/validation/optional-member.decorators.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';

const MAX_NAME_LENGTH = 100;
const MAX_PATH_LENGTH = 2_000;

@RequestExamples({ corp: { value: { provider: 'corp' } } })
@NoAdditionalFields()
export class LinkIdentityRequest {
  /** The name of an identity provider. */
  @ApiProperty()
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_NAME_LENGTH)
  provider: string;

  /** The page of the console to open afterwards. Default: the start page. */
  @OptionalString({ maxLength: MAX_PATH_LENGTH })
  return_to?: string;
}
