import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsOptional, IsString, Matches } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { IsText } from '../../../http/validation/is-text.decorator.js';
import {
  NullableIds,
  NullableInteger,
  NullableName,
  NullableStoredText,
} from '../../../http/validation/nullable-member.decorators.js';
import { OffsetPageRequest } from '../../../http/validation/offset-page.request.dto.js';
import {
  OptionalBoolean,
  OptionalInteger,
  OptionalString,
  OptionalStoredText,
} from '../../../http/validation/optional-member.decorators.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';

/** Enough for the key file of a service account. */
const MAX_SECRET_CHARACTERS = 32_768;
const MAX_LIST_ITEMS = 200;
const MAX_INT = 2_147_483_647;
const REGION = '^[a-z0-9][a-z0-9-]{0,62}$';
const VERSION = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';
const SECRET_SCHEMA = { minLength: 1, maxLength: MAX_SECRET_CHARACTERS, writeOnly: true } as const;

const TextMap = (more: object): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string' }, ...more }),
    IsOptionalField(),
    IsObject(),
  );

/** The settings that can be changed at any time. */
class ChannelSettingsRequest {
  @NullableName(255)
  name?: string | null;

  /**
   * The address for calls with this credential: https on the public network, without a query. Null = the provider's
   * address.
   */
  @NullableStoredText({ min: 1, max: 2048 })
  base_url?: string | null;

  /**
   * The credential is used for endpoints of this region, and for endpoints whose tag has no region. In requests,
   * `provider.only`, `order` and `ignore` contain the region as `provider/region`. Null = it is used for every
   * endpoint.
   */
  @ApiPropertyOptional({ type: String, nullable: true, pattern: REGION })
  @IsOptional()
  @IsString()
  @Matches(new RegExp(REGION), { message: 'region must be lower-case letters, digits and dashes' })
  region?: string | null;

  /** The value of the parameter `api-version`, for vendors that require it. */
  @ApiPropertyOptional({ type: String, nullable: true, pattern: VERSION })
  @IsOptional()
  @IsString()
  @Matches(new RegExp(VERSION), { message: 'api_version must be letters, digits, dots, dashes and underscores' })
  api_version?: string | null;

  /** Additional headers of each request. Reads return them. */
  @TextMap({ maxProperties: 16 })
  headers?: Record<string, string>;

  /** Additional headers of each request, which are stored encrypted and never returned. Replaces all secret headers. */
  @TextMap({ maxProperties: 16, writeOnly: true })
  secret_headers?: Record<string, string>;

  /** Lower values are used first. A credential from an environment variable has 0. */
  @OptionalInteger({ min: -1000, max: 1000, byDefault: 0 })
  priority?: number;

  /** The credential's share of the calls among credentials with the same priority. */
  @OptionalInteger({ min: 1, max: 1000, byDefault: 1 })
  weight?: number;

  /** The models that the credential is used for; null = every model. */
  @NullableIds(MAX_LIST_ITEMS)
  allowed_models?: string[] | null;

  /** The models that the credential is not used for. */
  @NullableIds(MAX_LIST_ITEMS)
  denied_models?: string[] | null;

  /**
   * Maps our ids or other names of models to the vendor's names of models or deployments. Each model may occur once.
   */
  @TextMap({ maxProperties: MAX_LIST_ITEMS })
  model_names?: Record<string, string>;

  /** The maximum number of calls per minute. */
  @NullableInteger(1, MAX_INT)
  rpm?: number | null;

  /** The maximum number of tokens per minute. Above it, the credential is not used until the minute ends. */
  @NullableInteger(1, MAX_INT)
  tpm?: number | null;

  /** The maximum number of concurrent calls. */
  @NullableInteger(1, MAX_INT)
  max_concurrent?: number | null;

  @OptionalBoolean({ byDefault: false })
  disabled?: boolean;
}

@RequestExamples({
  second: {
    summary: 'A second account at a provider, which gets three out of four calls',
    value: { provider: 'cerebras', key: 'sk-the-secret-your-provider-gave-you', name: 'Second account', weight: 3 },
  },
})
@NoAdditionalFields()
export class CreateChannelRequest extends ChannelSettingsRequest {
  /** A provider slug of the catalogue. */
  @ApiProperty()
  @IsString()
  provider: string;

  /** The secret, as issued by the provider. It is stored encrypted and never returned. */
  @ApiProperty(SECRET_SCHEMA)
  @IsText({ min: 1, max: MAX_SECRET_CHARACTERS })
  key: string;
}

@RequestExamples({
  rotated: { summary: 'A new secret that replaces the old one', value: { key: 'sk-the-new-secret' } },
  limited: { summary: 'At most 600 calls in a minute', value: { rpm: 600 } },
})
@NoAdditionalFields()
export class UpdateChannelRequest extends ChannelSettingsRequest {
  /**
   * A new secret, which replaces the old one. Required with `base_url`, so that a stored secret is not sent to another
   * address.
   */
  @ApiPropertyOptional(SECRET_SCHEMA)
  @IsOptionalField()
  @IsText({ min: 1, max: MAX_SECRET_CHARACTERS })
  key?: string;
}

@RequestExamples({ models: { summary: "Read the vendor's list of models", value: {} } })
@NoAdditionalFields()
export class TestChannelRequest {
  /**
   * A text model, which the test calls with a few tokens. Without a model, the test reads the vendor's list of models,
   * which is free.
   */
  @OptionalStoredText({ min: 1, max: 200 })
  model?: string;
}

export class ListChannelsRequest extends OffsetPageRequest {
  /** A provider slug of the catalogue. */
  @OptionalString()
  provider?: string;
}
