import { ApiProperty, ApiPropertyOptional, PartialType, PickType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsNumber, IsObject, IsOptional, IsString, IsUUID, Max, Min, MinLength, ValidateNested } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { IsName } from '../../../http/validation/is-name.decorators.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { IsKeySecret, MAX_SECRET_CHARACTERS, MIN_SECRET_CHARACTERS } from './is-key-secret.decorator.js';
import { MaxCharacters } from '../../../http/validation/max-characters.decorator.js';
import { NullableEnum } from '../../../http/validation/nullable-member.decorators.js';
import {
  OptionalBoolean,
  OptionalEnum,
  OptionalInteger,
  OptionalUuid,
} from '../../../http/validation/optional-member.decorators.js';
import { QueryFlag, QueryInteger } from '../../../http/validation/query-value.decorators.js';
import { IsUtcTime } from '../../../http/validation/utc-time.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';
import { MAX_LIMIT_USD } from '../../../kernel/money.js';

const RESETS = ['daily', 'weekly', 'monthly'] as const;
const CLASSES = ['standard', 'management'] as const;
const MANAGEMENT_ROLES = ['owner', 'admin'] as const;
const MAX_NAME_CHARACTERS = 1000;
const MAX_EXTERNAL_USER_CHARACTERS = 256;
const MAX_GRACE_S = 604_800;

export class ListKeysRequest {
  /** Whether to list disabled keys too. */
  @QueryFlag()
  include_disabled?: boolean;

  /** The number of keys to skip. */
  @QueryInteger({ min: 0, byDefault: 0 })
  offset?: number;

  /** The workspace of the keys; default: the account's default workspace. */
  @OptionalUuid()
  workspace_id?: string;
}

/** A key that belongs to a user of another system. */
@NoAdditionalFields()
export class ExternalKeyRequest {
  /** The user that the key is for, as named in the caller's own system. Returned as `external_user`. */
  @ApiProperty({ minLength: 1, maxLength: MAX_EXTERNAL_USER_CHARACTERS, example: 'user-4711' })
  @IsString()
  @MinLength(1)
  @MaxCharacters(MAX_EXTERNAL_USER_CHARACTERS)
  @IsName()
  user: string;

  /**
   * A secret that the user already has: printable ASCII without spaces, with at least 10 different characters. Only its
   * SHA-256 is stored, and no response contains it. Absent = a secret is generated.
   */
  @ApiPropertyOptional({
    minLength: MIN_SECRET_CHARACTERS,
    maxLength: MAX_SECRET_CHARACTERS,
    pattern: '^[!-~]+$',
    writeOnly: true,
  })
  @IsOptionalField()
  @IsKeySecret()
  api_key?: string;
}

/** The settings of a new key. */
@RequestExamples({
  unlimited: { summary: 'Without a limit', value: { name: 'Production' } },
  limited: { summary: 'Ten dollars a month', value: { name: 'Trial', limit: 10, limit_reset: 'monthly' } },
  external: {
    summary: 'For a user of another system, with the secret that the user has',
    value: { name: 'Moved in', external: { user: 'user-4711', api_key: 'acme-5f0c2b7e9d1a4c3886e2f7b1d09a4c55' } },
  },
})
@NoAdditionalFields()
export class CreateKeyRequest {
  @ApiProperty({ minLength: 1, maxLength: MAX_NAME_CHARACTERS, example: 'Production' })
  @IsString()
  @MinLength(1)
  @MaxCharacters(MAX_NAME_CHARACTERS)
  @IsName()
  name: string;

  /** Spending limit in USD; null or absent = unlimited. */
  @ApiPropertyOptional({ type: Number, nullable: true, minimum: 0 })
  @IsOptional()
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0)
  @Max(MAX_LIMIT_USD)
  limit?: number | null;

  /** When the limit resets, at midnight UTC; weeks are Monday to Sunday. Null = never. */
  @NullableEnum(RESETS)
  limit_reset?: (typeof RESETS)[number] | null;

  /** Whether spend on own provider credentials counts against the limit. */
  @OptionalBoolean({ byDefault: false })
  include_byok_in_limit?: boolean;

  /** When the key stops working, ISO 8601 in UTC. */
  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true })
  @IsOptional()
  @IsString()
  @IsUtcTime()
  expires_at?: string | null;

  /**
   * The member on whose behalf the key acts; default: the caller. Null = no member: the key belongs to the workspace.
   */
  @ApiPropertyOptional({ type: String, format: 'uuid', nullable: true })
  @IsOptional()
  @IsUUID()
  creator_user_id?: string | null;

  /** The workspace of the key; default: the account's default workspace. */
  @OptionalUuid()
  workspace_id?: string;

  /** The purpose of the key: inference and reads, or managing the account. */
  @OptionalEnum(CLASSES, { byDefault: 'standard' })
  class?: (typeof CLASSES)[number];

  /** The role of a management key, at most the caller's role. Default: the caller's role. */
  @OptionalEnum(MANAGEMENT_ROLES)
  role?: (typeof MANAGEMENT_ROLES)[number];

  /** For a standard key that belongs to a user of another system, optionally with an existing secret of that user. */
  @ApiPropertyOptional({ type: ExternalKeyRequest })
  @IsOptionalField()
  @IsObject()
  @ValidateNested()
  @Type(() => ExternalKeyRequest)
  external?: ExternalKeyRequest;
}

/** The changes of a key. Absent = unchanged; null = no limit, no reset. */
@RequestExamples({
  disabled: { summary: 'Disable the key', value: { disabled: true } },
  limited: { summary: 'Five dollars a week, from Monday to Sunday', value: { limit: 5, limit_reset: 'weekly' } },
})
@NoAdditionalFields()
export class UpdateKeyRequest extends PartialType(
  PickType(CreateKeyRequest, ['name', 'limit', 'limit_reset', 'include_byok_in_limit'] as const),
  { skipNullProperties: false },
) {
  /** Requests with a disabled key are refused until it is enabled again. */
  @OptionalBoolean()
  disabled?: boolean;
}

@RequestExamples({
  leaked: { summary: 'Refuse the former secret from now on', value: {} },
  planned: { summary: 'Accept the former secret for one more day', value: { grace_seconds: 86_400 } },
})
@NoAdditionalFields()
export class RotateKeyRequest {
  /**
   * How long the former secrets of the key stay valid, up to 7 days. 0: all former secrets end now, including secrets
   * that earlier rotations replaced.
   */
  @OptionalInteger({ min: 0, max: MAX_GRACE_S, byDefault: 0 })
  grace_seconds?: number;
}
