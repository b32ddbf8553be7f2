import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength, MinLength } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { OptionalString } from '../../../http/validation/optional-member.decorators.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';

const MAX_TOKEN_LENGTH = 1_000;
const MAX_PATH_LENGTH = 2_000;
const MAX_LOGOUT_TOKEN_LENGTH = 16_000;

@RequestExamples({ plain: { value: { return_to: '/console/keys' } } })
@NoAdditionalFields()
export class StartSignInRequest {
  /** The token of an invitation, from the fragment of its link. */
  @OptionalString({ minLength: 1, maxLength: MAX_TOKEN_LENGTH })
  invitation?: string;

  /** The page of the console to open afterwards. Default: the start page. */
  @OptionalString({ maxLength: MAX_PATH_LENGTH })
  return_to?: string;
}

/** OpenID Connect Back-Channel Logout 1.0. Unknown members are ignored. */
export class BackChannelLogoutRequest {
  @ApiProperty()
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_LOGOUT_TOKEN_LENGTH)
  logout_token: string;
}
