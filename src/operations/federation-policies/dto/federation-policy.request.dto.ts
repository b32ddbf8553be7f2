import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsString, Matches, MinLength } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { IsName } from '../../../http/validation/is-name.decorators.js';
import { IsText } from '../../../http/validation/is-text.decorator.js';
import { MaxCharacters } from '../../../http/validation/max-characters.decorator.js';
import { NullableStoredText } from '../../../http/validation/nullable-member.decorators.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';

const MAX_NAME_CHARACTERS = 200;
const MAX_URL_CHARACTERS = 2_048;
const MAX_CLAIM_CHARACTERS = 1_000;
const HASH = '0e6f44a2b5d1c3980e6f44a2b5d1c3980e6f44a2b5d1c3980e6f44a2b5d1c398';

/** The tokens of an issuer that may act as a key. */
@RequestExamples({
  github: {
    summary: 'A workflow of GitHub Actions',
    value: {
      name: 'Deployments',
      issuer: 'https://token.actions.githubusercontent.com',
      subject: 'repo:acme/shop:ref:refs/heads/main',
      audience: 'https://gatehouse.example.com',
      api_key_hash: HASH,
    },
  },
})
@NoAdditionalFields()
export class CreateFederationPolicyRequest {
  @ApiProperty({ minLength: 1, maxLength: MAX_NAME_CHARACTERS, example: 'Deployments' })
  @IsString()
  @MinLength(1)
  @MaxCharacters(MAX_NAME_CHARACTERS)
  @IsName()
  name: string;

  /** The exact claim iss: an https URL on the public network. */
  @ApiProperty({ minLength: 1, maxLength: MAX_URL_CHARACTERS, example: 'https://token.actions.githubusercontent.com' })
  @IsText({ min: 1, max: MAX_URL_CHARACTERS })
  issuer: string;

  /** The URL of the issuer's keys; absent or null = taken from the issuer's metadata (OpenID Connect Discovery). */
  @NullableStoredText({ min: 1, max: MAX_URL_CHARACTERS })
  jwks_url?: string | null;

  /** The exact claim sub. */
  @ApiProperty({ minLength: 1, maxLength: MAX_CLAIM_CHARACTERS, example: 'repo:acme/shop:ref:refs/heads/main' })
  @IsText({ min: 1, max: MAX_CLAIM_CHARACTERS })
  subject: string;

  /** The exact claim aud: the only audience of the token. */
  @ApiProperty({ minLength: 1, maxLength: MAX_CLAIM_CHARACTERS, example: 'https://gatehouse.example.com' })
  @IsText({ min: 1, max: MAX_CLAIM_CHARACTERS })
  audience: string;

  /** The standard key that the tokens act as. */
  @ApiProperty({ pattern: '^[0-9a-f]{64}$', example: HASH })
  @Matches(/^[0-9a-f]{64}$/, { message: 'api_key_hash must be the hash of a key: 64 lowercase hex characters' })
  api_key_hash: string;
}

@RequestExamples({ disable: { value: { disabled: true } } })
@NoAdditionalFields()
export class UpdateFederationPolicyRequest {
  /** Whether the policy refuses all tokens. */
  @ApiProperty({ type: Boolean })
  @IsBoolean()
  disabled: boolean;
}
