import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  ValidateNested,
} from 'class-validator';
import { OWN_CAPABILITIES, OWN_FORMATS, type OwnCapability, type OwnFormat } from '../../../catalogue/own-provider.js';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { IsName } from '../../../http/validation/is-name.decorators.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { IsText } from '../../../http/validation/is-text.decorator.js';
import { MaxCharacters } from '../../../http/validation/max-characters.decorator.js';
import { NullableInteger, NullableStoredText } from '../../../http/validation/nullable-member.decorators.js';
import {
  OptionalBoolean,
  OptionalEnum,
  OptionalInteger,
  OptionalStoredText,
} from '../../../http/validation/optional-member.decorators.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';

const SLUG = '^[a-z0-9][a-z0-9-]{0,62}$';
const WORD = '^[a-z][a-z0-9_]{0,63}$';
const MAX_WORDS = 64;
const MAX_TOKENS = 100_000_000;
/** At most 1 USD, because a whole context could not be reserved at a higher price. */
const TOKEN_PRICE = '^(?:0(?:\\.\\d{1,18})?|1(?:\\.0{1,18})?)$';
const UNIT_PRICE = '^(?:0|[1-9]\\d{0,2})(?:\\.\\d{1,18})?$';

const Price = (member: string, pattern: string, most: string): PropertyDecorator =>
  applyDecorators(
    IsString(),
    Matches(new RegExp(pattern), {
      message: `${member} must be an amount of USD from 0 to ${most}, as decimal text such as "0.000002"`,
    }),
  );
const OptionalPrice = (member: string, pattern: string, most: string): PropertyDecorator =>
  applyDecorators(ApiPropertyOptional({ pattern }), IsOptionalField(), Price(member, pattern, most));

const Words = (member: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: 'array', items: { type: 'string', pattern: WORD }, maxItems: MAX_WORDS }),
    IsOptionalField(),
    IsArray(),
    ArrayMaxSize(MAX_WORDS),
    ArrayUnique(),
    Matches(new RegExp(WORD), {
      each: true,
      message: `${member} must be words of 1 to 64 lower-case letters, digits and _ that start with a letter`,
    }),
  );

@NoAdditionalFields()
export class OwnPrivacyRequest {
  @ApiPropertyOptional({ maxLength: 2048 })
  @IsOptionalField()
  @IsUrl({ protocols: ['https', 'http'], require_protocol: true, require_tld: false })
  @MaxCharacters(2048)
  policy_url?: string;

  /** Whether the provider stores nothing from a call. */
  @OptionalBoolean()
  zero_data_retention?: boolean;
}

/** The settings that can be changed at any time. */
class OwnProviderSettingsRequest {
  @NullableStoredText({ min: 1, max: 255 })
  @IsName()
  name?: string | null;

  /** Replaces the previous settings completely. */
  @ApiPropertyOptional({ type: OwnPrivacyRequest })
  @IsOptionalField()
  @IsObject()
  @ValidateNested()
  @Type(() => OwnPrivacyRequest)
  privacy?: OwnPrivacyRequest;
}

@RequestExamples({
  one: {
    summary: 'A server with the chat format',
    value: { slug: 'our-models', format: 'chat', base_url: 'https://models.example.com/v1' },
  },
})
@NoAdditionalFields()
export class CreateOwnProviderRequest extends OwnProviderSettingsRequest {
  /** Must differ from the providers and authors of the catalogue. */
  @ApiProperty({ pattern: SLUG })
  @IsString()
  @Matches(new RegExp(SLUG), {
    message: 'slug must be 1 to 63 lower-case letters, digits and hyphens, and start with a letter or digit',
  })
  slug: string;

  /** The wire format of the provider. */
  @ApiProperty({ enum: OWN_FORMATS })
  @IsIn(OWN_FORMATS)
  format: OwnFormat;

  /**
   * The URL before the path of the format, such as `/chat/completions`, `/responses` or `/messages`. It must be https
   * and public, unless `CHANNEL_PRIVATE_ADDRESSES` is on, and must not have a query.
   */
  @ApiProperty({ minLength: 1, maxLength: 2048 })
  @IsText({ min: 1, max: 2048 })
  base_url: string;

  /** False = the provider is called without a key, for example because it runs in the operator's own network. */
  @OptionalBoolean({ byDefault: true })
  needs_credential?: boolean;
}

@RequestExamples({ one: { summary: 'A new name', value: { name: 'Our models' } } })
@NoAdditionalFields()
export class UpdateOwnProviderRequest extends OwnProviderSettingsRequest {
  /** A new address. Returns 409 if a stored credential uses the address of the provider. */
  @OptionalStoredText({ min: 1, max: 2048 })
  base_url?: string;
}

/**
 * Prices in USD: per token, or per item for pictures, requests, searches, characters and seconds. Chat requires
 * `prompt` and `completion`. Cached and reasoning tokens without a price cost the same as other tokens of the prompt or
 * the completion.
 */
@NoAdditionalFields()
export class OwnPricingRequest {
  /** For chat and embeddings. */
  @OptionalPrice('prompt', TOKEN_PRICE, '1')
  prompt?: string;

  /** For chat. */
  @OptionalPrice('completion', TOKEN_PRICE, '1')
  completion?: string;

  @OptionalPrice('input_cache_read', TOKEN_PRICE, '1')
  input_cache_read?: string;

  @OptionalPrice('input_cache_write', TOKEN_PRICE, '1')
  input_cache_write?: string;

  @OptionalPrice('internal_reasoning', TOKEN_PRICE, '1')
  internal_reasoning?: string;

  /** For image models: per generated picture. For chat: per picture in the request. */
  @OptionalPrice('image', UNIT_PRICE, '999')
  image?: string;

  @OptionalPrice('request', UNIT_PRICE, '999')
  request?: string;

  @OptionalPrice('web_search', UNIT_PRICE, '999')
  web_search?: string;

  /** For speech: per character of the input. */
  @OptionalPrice('input_character', TOKEN_PRICE, '1')
  input_character?: string;

  /** For transcription: per second of audio. */
  @OptionalPrice('second', TOKEN_PRICE, '1')
  second?: string;
}

@RequestExamples({
  one: {
    summary: 'A model with its prices',
    value: {
      upstream: 'assistant-7b',
      context_length: 32_768,
      pricing: { prompt: '0.0000002', completion: '0.0000006' },
    },
  },
  pictures: {
    summary: 'An image model',
    value: { capability: 'image', upstream: 'painter-xl', pricing: { image: '0.01' } },
  },
})
@NoAdditionalFields()
export class SetOwnModelRequest {
  /** The provider's name of the model. */
  @ApiProperty({ minLength: 1, maxLength: 255 })
  @IsText({ min: 1, max: 255 })
  @IsName()
  upstream: string;

  @NullableStoredText({ min: 1, max: 255 })
  @IsName()
  name?: string | null;

  /**
   * The capability of the model. Capabilities other than `chat` require a provider of the format `chat` or `responses`.
   */
  @OptionalEnum(OWN_CAPABILITIES, { byDefault: 'chat' })
  capability?: OwnCapability;

  /** In tokens. Required for chat and embeddings; not allowed for other capabilities. */
  @OptionalInteger({ min: 1, max: MAX_TOKENS })
  context_length?: number;

  /** Only for chat. Null = only the context length limits the output. */
  @NullableInteger(1, MAX_TOKENS)
  max_completion_tokens?: number | null;

  /** Default: `text`; `audio` for transcription. */
  @Words('input_modalities')
  input_modalities?: string[];

  /**
   * The parameters that `GET /models` lists. Default for chat: `max_tokens`, `stop`, `temperature`, `top_p`; image:
   * `n`, `size`; speech: `response_format`, `speed`; transcription: `language`, `response_format`, `temperature`.
   */
  @Words('supported_parameters')
  supported_parameters?: string[];

  /** Null or absent = the prices are unknown, and the model is not served. A free model has prices of "0". */
  @ApiPropertyOptional({ type: OwnPricingRequest, nullable: true })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => OwnPricingRequest)
  pricing?: OwnPricingRequest | null;
}
