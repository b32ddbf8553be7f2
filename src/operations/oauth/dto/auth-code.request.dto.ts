import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNumber, IsOptional, IsString, Max, Min, MinLength } from 'class-validator';
import { CHALLENGE_METHODS } from '../../../applications/code-challenge.js';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { IsName } from '../../../http/validation/is-name.decorators.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { MaxCharacters } from '../../../http/validation/max-characters.decorator.js';
import { OptionalEnum, OptionalString, OptionalUuid } from '../../../http/validation/optional-member.decorators.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';
import { IsUtcTime } from '../../../http/validation/utc-time.js';
import { MAX_LIMIT_USD } from '../../../kernel/money.js';

const LIMIT_TYPES = ['daily', 'weekly', 'monthly'] as const;
const MAX_LABEL_CHARACTERS = 1_000;
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

/** The key that an application requests. */
@RequestExamples({
  s256: {
    summary: 'With PKCE',
    value: {
      callback_url: 'https://app.example.com/callback',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      key_label: 'Editor',
      limit: 10,
      usage_limit_type: 'monthly',
    },
  },
})
@NoAdditionalFields()
export class CreateAuthCodeRequest {
  /**
   * The URL to which the browser is redirected with the code: https, or http on localhost or 127.0.0.1. Absent = the
   * member copies the code, which requires a code_challenge with S256.
   */
  @ApiPropertyOptional({ maxLength: 2048, example: 'https://app.example.com/callback' })
  @IsOptionalField()
  @IsString()
  callback_url?: string;

  /** The exchange of the code requires the verifier of this challenge (RFC 7636). */
  @OptionalString({ pattern: '^[A-Za-z0-9._~-]{43,128}$', example: CHALLENGE })
  code_challenge?: string;

  /** Default: plain. */
  @OptionalString({ enum: CHALLENGE_METHODS })
  code_challenge_method?: string;

  /** When the key stops working, ISO 8601 in UTC. */
  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true })
  @IsOptional()
  @IsUtcTime()
  expires_at?: string | null;

  /** The name of the key; default: the host of the callback. */
  @ApiPropertyOptional({ minLength: 1, maxLength: MAX_LABEL_CHARACTERS, example: 'Editor' })
  @IsOptionalField()
  @IsString()
  @MinLength(1)
  @MaxCharacters(MAX_LABEL_CHARACTERS)
  @IsName()
  key_label?: string;

  /** Spending limit of the key in USD; absent = the highest limit that the member's role allows. */
  @ApiPropertyOptional({ type: Number, minimum: 0 })
  @IsOptionalField()
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0)
  @Max(MAX_LIMIT_USD)
  limit?: number;

  /** When the limit resets, at midnight UTC; absent = never. */
  @OptionalEnum(LIMIT_TYPES)
  usage_limit_type?: (typeof LIMIT_TYPES)[number];

  /** The workspace of the key; default: the account's default workspace. */
  @OptionalUuid()
  workspace_id?: string;
}

/** The data with which the application requests its key. */
@RequestExamples({
  proof: {
    summary: 'With the verifier of the challenge',
    value: {
      code: '6Vxr0pQ0mC0kZ0wqJ8o8bq4iYV0Vh7kP2m3tq0X8b1E',
      code_verifier: VERIFIER,
      code_challenge_method: 'S256',
    },
  },
})
@NoAdditionalFields()
export class ExchangeAuthCodeRequest {
  @ApiProperty({ minLength: 1, maxLength: 500, example: '6Vxr0pQ0mC0kZ0wqJ8o8bq4iYV0Vh7kP2m3tq0X8b1E' })
  @IsString()
  @MinLength(1)
  @MaxCharacters(500)
  code: string;

  /** Required if the code has a challenge. */
  @ApiPropertyOptional({ example: VERIFIER })
  @IsOptionalField()
  @IsString()
  @MaxCharacters(500)
  code_verifier?: string;

  /** Must equal the method of the code; absent or null = the method of the code. */
  @ApiPropertyOptional({ type: String, enum: [...CHALLENGE_METHODS, null], nullable: true })
  @IsOptional()
  @IsString()
  code_challenge_method?: string | null;
}
