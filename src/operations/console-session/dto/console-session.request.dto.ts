import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, MinLength } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { IsName } from '../../../http/validation/is-name.decorators.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { MaxCharacters } from '../../../http/validation/max-characters.decorator.js';
import { NullableNumber } from '../../../http/validation/nullable-member.decorators.js';
import { OptionalString, OptionalUuid } from '../../../http/validation/optional-member.decorators.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';
import { MAX_LIMIT_USD } from '../../../kernel/money.js';

const MAX_SECRET_LENGTH = 1_000;
const MAX_NAME_CHARACTERS = 200;

/** The name of a new user if the request with the invitation has no name. */
export const DEFAULT_USER_NAME = 'New member';

/** Exactly one of code, key and invitation is set. */
@RequestExamples({ code: { value: { code: 'bT9Xk2nq0vYw7Lr4Zc1d8A' } } })
@NoAdditionalFields()
export class ConsoleSignInRequest {
  /** The one-time code of a link. */
  @OptionalString({ minLength: 1, maxLength: MAX_SECRET_LENGTH })
  code?: string;

  /** An API key. */
  @OptionalString({ minLength: 1, maxLength: MAX_SECRET_LENGTH })
  key?: string;

  /** The token of an invitation without an address. It creates a new user, who becomes a member. */
  @OptionalString({ minLength: 1, maxLength: MAX_SECRET_LENGTH })
  invitation?: string;

  /** With an invitation: the name of the new user. */
  @ApiPropertyOptional({ minLength: 1, maxLength: MAX_NAME_CHARACTERS, default: DEFAULT_USER_NAME })
  @IsOptionalField()
  @IsString()
  @MinLength(1)
  @MaxCharacters(MAX_NAME_CHARACTERS)
  @IsName()
  name?: string;
}

/** The changes; absent = unchanged. */
@RequestExamples({ limit: { value: { limit: 5 } } })
@NoAdditionalFields()
export class UpdateConsoleSessionRequest {
  /** The workspace of the session's calls. Changing it creates a new key, whose spend starts at 0. */
  @OptionalUuid()
  workspace_id?: string;

  /** The spending limit of the session's calls, in USD; null = unlimited. */
  @NullableNumber(0, MAX_LIMIT_USD)
  limit?: number | null;
}
