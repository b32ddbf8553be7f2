import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsOptional, IsString, IsUUID, Matches, MinLength } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { IsWellFormed } from '../../../http/validation/is-well-formed.decorator.js';
import { MaxCharacters } from '../../../http/validation/max-characters.decorator.js';
import { NullableIds, NullableName } from '../../../http/validation/nullable-member.decorators.js';
import { OptionalBoolean, OptionalInteger } from '../../../http/validation/optional-member.decorators.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';

/** A limit of this service. It is enough for the key file of a service account. */
const MAX_SECRET_CHARACTERS = 32_768;
const MAX_LIST_ITEMS = 100;
const KEY_HASH = '^[a-f0-9]{64}$';
const MAX_SORT_ORDER = 2_147_483_647;

/** At least one hash; null or absent = every key. */
const NullableKeyHashes = (): PropertyDecorator =>
  applyDecorators(
    Matches(new RegExp(KEY_HASH), {
      each: true,
      message: '$property must contain hashes of keys: 64 lower-case hex characters each',
    }),
    ApiPropertyOptional({
      type: 'array',
      items: { type: 'string', pattern: KEY_HASH },
      nullable: true,
      maxItems: MAX_LIST_ITEMS,
      minItems: 1,
    }),
    IsOptional(),
    IsArray(),
    ArrayMinSize(1),
    ArrayMaxSize(MAX_LIST_ITEMS),
  );

/** The settings that can be changed at any time. */
class CredentialSettingsRequest {
  @NullableName(255)
  name?: string | null;

  @OptionalBoolean({ byDefault: false })
  disabled?: boolean;

  /** Used only after the platform's own credential. */
  @OptionalBoolean({ byDefault: false })
  is_fallback?: boolean;

  /** The ids of the models that may use the credential. */
  @NullableIds(MAX_LIST_ITEMS)
  allowed_models?: string[] | null;

  /** Hashes of the account's keys that may use the credential. */
  @NullableKeyHashes()
  allowed_api_key_hashes?: string[] | null;

  /** The members who may use the credential. */
  @NullableIds(MAX_LIST_ITEMS)
  allowed_user_ids?: string[] | null;
}

@RequestExamples({
  own: {
    summary: 'A credential of your own, for one provider',
    value: { provider: 'cerebras', key: 'sk-the-secret-your-provider-gave-you', name: 'Production' },
  },
  everywhere: {
    summary: 'A credential that serves every workspace of the account',
    value: { provider: 'cerebras', key: 'sk-the-secret-your-provider-gave-you', workspace_id: null },
  },
})
@NoAdditionalFields()
export class CreateByokRequest extends CredentialSettingsRequest {
  /** A provider slug of the catalogue. */
  @ApiProperty()
  @IsString()
  provider: string;

  /** The secret, as issued by the provider. It is stored encrypted and never returned. */
  @ApiProperty({ minLength: 1, maxLength: MAX_SECRET_CHARACTERS, writeOnly: true })
  @IsString()
  @MinLength(1)
  @MaxCharacters(MAX_SECRET_CHARACTERS)
  @IsWellFormed()
  key: string;

  /** Null = every workspace of the account. Default: the default workspace of the account. */
  @ApiPropertyOptional({ type: String, format: 'uuid', nullable: true })
  @IsOptional()
  @IsUUID()
  workspace_id?: string | null;
}

@RequestExamples({
  rotated: {
    summary: 'A new secret that replaces the old one',
    value: { key: 'sk-the-new-secret-of-your-provider' },
  },
  last: { summary: "Used only after the platform's credentials have failed", value: { is_fallback: true } },
})
@NoAdditionalFields()
export class UpdateByokRequest extends CredentialSettingsRequest {
  /** A new secret. The old secret is deleted. */
  @ApiPropertyOptional({ minLength: 1, maxLength: MAX_SECRET_CHARACTERS, writeOnly: true })
  @IsOptionalField()
  @IsString()
  @MinLength(1)
  @MaxCharacters(MAX_SECRET_CHARACTERS)
  @IsWellFormed()
  key?: string;

  /** Lower values are used first. */
  @OptionalInteger({ min: 0, max: MAX_SORT_ORDER })
  sort_order?: number;
}
