import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { OptionalString } from '../../../http/validation/optional-member.decorators.js';

export const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const SUBJECT_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:jwt';
export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';

/** A token exchange (RFC 8693). Other parameters are ignored. */
export class OAuthTokenRequest {
  @ApiProperty({ enum: [GRANT_TYPE] })
  @IsString()
  grant_type: string;

  /** A JWT from the issuer of the policy. */
  @ApiProperty()
  @IsString()
  subject_token: string;

  @ApiProperty({ enum: [SUBJECT_TOKEN_TYPE] })
  @IsString()
  subject_token_type: string;

  @ApiProperty({ format: 'uuid' })
  @IsString()
  federation_policy_id: string;

  @OptionalString({ enum: [ACCESS_TOKEN_TYPE] })
  requested_token_type?: string;

  @OptionalString({ enum: ['inference'] })
  scope?: string;
}
